package unreal_test

import (
	"bytes"
	"path/filepath"
	"testing"

	read "github.com/usher-assets/usher/read/unreal"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
	"github.com/usher-assets/usher/testdata/corpus"
)

// TestCRC: the check value of this polynomial with this order of bits is that of CRC-32/BZIP2.
func TestCRC(t *testing.T) {
	if got := unreal.NewCRC().Add([]byte("1234")).Add([]byte("56789")).Sum(); got != 0xFC891918 {
		t.Errorf("%08X", got)
	}
}

// TestScriptCRC: the number that a class keeps of one in the same package is that of its text (reference section 27).
func TestScriptCRC(t *testing.T) {
	dir := corpus.Folder(t, "unreal")
	type script struct {
		file  string
		class unreal.Ref
	}
	same, stale := map[script]int{}, map[script]int{}
	for _, e := range corpus.Manifest(t, "unreal") {
		if e.Expected != "ok" {
			continue
		}
		b := corpus.Bytes(t, filepath.Join(dir, filepath.FromSlash(e.File)))
		p, err := read.Package(bytes.NewReader(b), int64(len(b)), nil)
		if err != nil {
			t.Fatal(err)
		}
		text := func(r unreal.Ref) []byte {
			c, ok := readExport(t, p, int(r-1)).(*unreal.Class)
			if !ok || c.ScriptText <= 0 {
				return nil
			}
			raw, _ := schema.EncodeWindows1252(readExport(t, p, int(c.ScriptText-1)).(*unreal.TextBuffer).Text.Text)
			return raw
		}
		for i := range p.Exports {
			if p.Exports[i].Class != 0 || p.Empty(i) {
				continue
			}
			for _, d := range readExport(t, p, i).(*unreal.Class).Dependencies {
				if d.Class <= 0 {
					continue
				}
				raw := text(d.Class)
				if raw == nil {
					continue
				}
				k := script{e.File, d.Class}
				if unreal.ScriptCRC(raw) == d.CRC {
					same[k]++
				} else {
					stale[k]++
				}
			}
		}
	}
	t.Logf("%d scripts agree with all who know them, %d were edited later", len(same), len(stale))
	if len(same) < 500 || len(stale) > len(same)/50 {
		t.Errorf("%d scripts agree, %d do not", len(same), len(stale))
	}
}
