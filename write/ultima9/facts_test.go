package ultima9_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/testdata/corpus"

	read "github.com/usher-assets/usher/read/ultima9"
)

// digest is the digest of a canonical dump in a *.facts.json.
type digest struct {
	Lines  int
	Bytes  int
	SHA256 string
}

// dump collects the lines of a canonical dump.
type dump struct{ strings.Builder }

func (d *dump) line(fields ...any) {
	for i, f := range fields {
		if i > 0 {
			d.WriteByte('\t')
		}
		fmt.Fprint(d, f)
	}
	d.WriteByte('\n')
}

func (d *dump) check(t *testing.T, name string, want digest) {
	t.Helper()
	text := d.String()
	sum := sha256.Sum256([]byte(text))
	got := digest{strings.Count(text, "\n"), len(text), hex.EncodeToString(sum[:])}
	if got != want {
		t.Errorf("%s: %+v, want %+v; begins %.200q", name, got, want, text)
	}
}

// quoted is a JSON string in ASCII.
func quoted(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, u := range utf16.Encode([]rune(s)) {
		switch {
		case u == '"' || u == '\\':
			b.WriteByte('\\')
			b.WriteByte(byte(u))
		case u == '\n':
			b.WriteString(`\n`)
		case u == '\r':
			b.WriteString(`\r`)
		case u == '\t':
			b.WriteString(`\t`)
		case u == '\b':
			b.WriteString(`\b`)
		case u == '\f':
			b.WriteString(`\f`)
		case u < 0x20 || u > 0x7E:
			fmt.Fprintf(&b, `\u%04x`, u)
		default:
			b.WriteByte(byte(u))
		}
	}
	b.WriteByte('"')
	return b.String()
}

func TestRealFacts(t *testing.T) {
	dir := filepath.Join(corpus.Folder(t, "ultima9"), "real")
	var facts struct {
		Texts      digest
		Dump       digest
		PointsDump digest `json:"points_dump"`
		RoutesDump digest `json:"routes_dump"`
	}
	load := func(name string) []corpus.Slot {
		corpus.JSON(t, filepath.Join(dir, name+".facts.json"), &facts)
		return corpus.Slots(t, filepath.Join(dir, name))
	}
	var texts, books, activities, points, routes dump
	for _, s := range load("TEXT.FLX") {
		x, err := read.Text(s.Payload, nil)
		if err != nil {
			t.Fatal(s.Number, err)
		}
		texts.line(s.Number, quoted(x.Text))
	}
	texts.check(t, "texts", facts.Texts)

	for _, s := range load("book") {
		x, err := read.Book(s.Payload, nil)
		if err != nil {
			t.Fatal(s.Number, err)
		}
		body, _ := schema.EncodeWindows1252(x.Body)
		sum := sha256.Sum256(body)
		books.line(s.Number, quoted(x.Title.Text), len(body), quoted(hex.EncodeToString(sum[:])))
	}
	books.check(t, "books", facts.Dump)

	for _, s := range load("activity.flx") {
		x, err := read.ActivityList(s.Payload, nil)
		if err != nil {
			t.Fatal(s.Number, err)
		}
		for _, a := range x.Activities {
			var opcodes []string
			for _, step := range a.Steps {
				opcodes = append(opcodes, fmt.Sprint(step.Opcode))
			}
			activities.line(s.Number, a.Ordinal, quoted(a.Name.Text), len(a.Steps), quoted(strings.Join(opcodes, " ")))
		}
	}
	activities.check(t, "activities", facts.Dump)

	corpus.JSON(t, filepath.Join(dir, "highway.dat.facts.json"), &facts)
	h, err := read.Highway(corpus.Bytes(t, filepath.Join(dir, "highway.dat")), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range h.Points {
		points.line(p.ID, p.X, p.Y)
	}
	for _, r := range h.Routes {
		routes.line(r.Start, r.End, r.Distance, r.Unknown08, quoted(strings.Trim(fmt.Sprint(r.Path), "[]")))
	}
	points.check(t, "points", facts.PointsDump)
	routes.check(t, "routes", facts.RoutesDump)
}
