package gltf

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/testdata/damage"
	"github.com/usher-assets/usher/testdata/made"
)

// TestChanged holds what is written of scenes of which one thing is other than it was, what is read of that again, and what is read
// of documents in which one value is another.
func TestChanged(t *testing.T) {
	table := damage.Open(t, "gltf", "changed.tsv")
	all := ShowAll
	t.Run("scenes", func(t *testing.T) {
		for name, s := range map[string]*asset.Scene{
			"attributes": allAttributes(), "morph": morph(), "materials": materials(), "virtual textures": virtualTextures(), "nodes": nodes(),
			"matrices": matrices(), "levels": lods(), "skin": skinScene(true), "skin beside": skinScene(false), "skin with levels": skinLOD(), "roots": severalRoots(),
			"animations": animations(), "natives": natives(), "speculars": speculars(), "lamps": lamps(), "sides": sides(),
			"tower": tower(), "twins": twins(),
		} {
			table.Run(t, name, func(t *testing.T, add func(what, outcome string)) {
				if s.Native != nil && len(s.Native.Payload) > 64 {
					s.Native.Payload = s.Native.Payload[:64]
				}
				eachOf(made.Changes(s, false), func(i int, what string) {
					add(what, encodedOutcome(made.Copy(s), []Options{{}, {Show: &all}, {Slim: true}, {Instances: true}}[i%4]))
				})
				documentOutcomes(encode(t, s, nil), add)
			})
		}
	})
}

// encodedOutcome tells what a scene becomes, and what comes back of it.
func encodedOutcome(s *asset.Scene, o Options) (out string) {
	defer func() {
		if r := recover(); r != nil {
			out = fmt.Sprint("panic ", r)
		}
	}()
	var w bytes.Buffer
	o.Diagnostics = new(schema.Diagnostics)
	if err := Encode(&w, s, o); err != nil {
		return damage.Refusal(err) + " " + err.Error()
	}
	return fmt.Sprintf("written %016x, told %v, %s", damage.Fingerprint(w.Bytes()), o.Diagnostics.All(), decodedOutcome(w.Bytes()))
}

// decodedOutcome tells what is read of a GLB.
func decodedOutcome(b []byte) string {
	d := new(schema.Diagnostics)
	s, err := Decode(b, nil, d)
	if err == nil {
		err = s.LoadAll()
	}
	if err != nil {
		return damage.Refusal(err) + " " + err.Error()
	}
	return fmt.Sprintf("read %016x, told %v", damage.Fingerprint(s), d.All())
}

// documentOutcomes adds what is read of a GLB with one value of its JSON changed.
func documentOutcomes(b []byte, add func(what, outcome string)) {
	n := int(b[12]) | int(b[13])<<8 | int(b[14])<<16
	var doc map[string]any
	if err := json.Unmarshal(b[20:20+n], &doc); err != nil {
		add("document", err.Error())
		return
	}
	eachOf(made.Changes(doc, false), func(_ int, what string) {
		if text, err := json.Marshal(doc); err == nil { // no document has infinity
			bin := b[20+n:]
			if len(bin) > 8 {
				bin = bin[8:]
			}
			add("document "+what, decodedOutcome(glb(string(text), bin)))
		}
	})
}

// eachOf makes changes one after the other, of many some that are spread over them.
func eachOf(all []made.Change, try func(i int, what string)) {
	const enough = 250
	for i := 0; i < len(all); i += 1 + len(all)/enough {
		all[i].Do()
		try(i, all[i].What)
		all[i].Undo()
	}
}
