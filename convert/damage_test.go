package convert_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"path/filepath"
	"testing"

	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/testdata/corpus"
	"github.com/usher-assets/usher/testdata/damage"
)

// TestDamage holds what becomes of every file of testdata that is cut short, or has a byte changed, at up to 300 places
// each: refused, with which class at which field and offset, or read, as which values, shown in which words, lifted to which asset, lowered again
// and written as which bytes.
func TestDamage(t *testing.T) {
	t.Parallel()
	table := damage.Open(t, "damage.tsv")
	t.Run("files", func(t *testing.T) {
		for family := range families {
			err := filepath.WalkDir(corpus.Testdata(t, family), func(p string, d fs.DirEntry, err error) error {
				if err != nil || d.IsDir() {
					return err
				}
				b := corpus.Bytes(t, p)
				f := sniff(p, b)
				if f == nil {
					return nil
				}
				rel, _ := filepath.Rel(corpus.Testdata(t), p)
				table.Run(t, filepath.ToSlash(rel), func(t *testing.T, add func(what, outcome string)) {
					env := new(engine.Loader).Env(p, nil)
					damage.Bytes(b, func(b []byte) string { return outcomeOf(f, b, env) }, add)
				})
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	})
}

// outcomeOf tells in a line what becomes of a file: its first word is that of the line's counts.
func outcomeOf(f *format.Format, b []byte, env *format.Env) string {
	if f.Read != nil {
		return leafOutcome(f, b, env)
	}
	a, err := f.Open(bytes.NewReader(b), int64(len(b)), env)
	if err != nil {
		return damage.Refusal(err)
	}
	var again bytes.Buffer
	if _, err := a.WriteTo(&again); err != nil {
		return damage.Refusal(err)
	}
	s := fmt.Sprintf("read %016x", damage.Fingerprint(again.Bytes()))
	for i, e := range a.Entries() {
		payload, err := a.Payload(i)
		if err != nil {
			return s + " " + damage.Refusal(err)
		}
		s += "; " + e.Path + " "
		if leaf := e.Format.Of(i, payload); leaf != nil && leaf.Read != nil {
			s += leafOutcome(leaf, payload, env)
		}
	}
	return s
}

func leafOutcome(f *format.Format, b []byte, env *format.Env) string {
	v, err := f.Read(b, nil)
	if err != nil {
		return damage.Refusal(err)
	}
	s := fmt.Sprintf("read %016x", damage.Fingerprint(v))
	if f.Check != nil {
		if err := f.Check(v); err != nil {
			s += ", check " + damage.Refusal(err)
		}
	}
	if f.Facts != nil {
		s += fmt.Sprintf(", shown %016x", damage.Fingerprint(f.Facts(v)))
	}
	if f.Document != nil {
		if doc, err := f.Document.Show(v, env); err != nil {
			s += ", document " + damage.Refusal(err)
		} else {
			s += fmt.Sprintf(", document %016x", damage.Fingerprint(doc))
		}
	}
	if f.Lift != nil {
		if a, err := f.Lift(v, env); err != nil {
			s += ", lift " + damage.Refusal(err)
		} else {
			s += fmt.Sprintf(", lifted %016x", damage.Fingerprint(a)) + lowerOutcome(f, a, env)
		}
	}
	if f.Write != nil {
		if again, err := f.Write(v); err != nil {
			s += ", write " + damage.Refusal(err)
		} else {
			s += fmt.Sprintf(", written %016x", damage.Fingerprint(again))
		}
	}
	return s
}

// lowerOutcome tells what a format makes of an asset that it lifted.
func lowerOutcome(f *format.Format, a asset.Asset, env *format.Env) string {
	if f.Lower == nil {
		return ""
	}
	v, err := f.Lower(a, env)
	if err != nil {
		return ", lower " + damage.Refusal(err)
	}
	b, err := f.Write(v)
	if err != nil {
		return ", write lowered " + damage.Refusal(err)
	}
	return fmt.Sprintf(", lowered %016x", damage.Fingerprint(b))
}
