package ultima9_test

import (
	"slices"
	"testing"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/testdata/corpus"

	read "github.com/usher-assets/usher/read/ultima9"
	write "github.com/usher-assets/usher/write/ultima9"
)

// BenchmarkRecords reads and writes what has many fields: a list of characters, a table of types, and single records as
// archives hold them by thousands.
func BenchmarkRecords(b *testing.B) {
	npc := sample(b, "npc")
	benchmarkRecord(b, "npc", slices.Repeat(npc[:ultima9.NPCSize], 352), read.NPCs, write.NPCs)
	types, err := write.Types(&ultima9.Types{Records: slices.Repeat([]ultima9.Type{{Base: 1, Model: 2, Flags: 3, Weight: 4, HitPoints: 5}}, ultima9.TypeCount)})
	if err != nil {
		b.Fatal(err)
	}
	benchmarkRecord(b, "types", types, read.Types, write.Types)
	a := openFLX(b, corpus.Bytes(b, corpus.Testdata(b, "ultima9", "sdInfo16.flx")))
	slot := 0
	for !a.Used(slot) {
		slot++
	}
	benchmarkRecord(b, "sdinfo", []byte(payload(b, a, slot)), read.SDInfo, write.SDInfo)
	benchmarkRecord(b, "sfxtmpl", sample(b, "sfxtmpl"), read.SoundTemplate, write.SoundTemplate)
	benchmarkRecord(b, "triggers", sample(b, "triggers"), read.Trigger, write.Trigger)
	benchmarkRecord(b, "areas", sample(b, "areas"), read.Area, write.Area)
	benchmarkRecord(b, "treedat", sample(b, "treedat"), read.TreeData, write.TreeData)
}

func benchmarkRecord[T any](b *testing.B, name string, content []byte, read func([]byte, *schema.Diagnostics) (*T, error), write func(*T) ([]byte, error)) {
	x, err := read(content, nil)
	if err != nil {
		b.Fatal(name, err)
	}
	b.Run(name+"/read", func(b *testing.B) {
		b.SetBytes(int64(len(content)))
		b.ReportAllocs()
		for b.Loop() {
			if _, err := read(content, nil); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run(name+"/write", func(b *testing.B) {
		b.SetBytes(int64(len(content)))
		b.ReportAllocs()
		for b.Loop() {
			if _, err := write(x); err != nil {
				b.Fatal(err)
			}
		}
	})
}
