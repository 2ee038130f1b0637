package convert_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/testdata/corpus"
	"github.com/usher-assets/usher/testdata/damage"
)

// TestProbed holds how sure every format is of every file of testdata and of what lies in its archives: under its own name and
// others, seen whole or in part, cut short, and with bytes changed.
func TestProbed(t *testing.T) {
	table := damage.Open(t, "probed.tsv")
	t.Run("files", func(t *testing.T) {
		for family := range families {
			err := filepath.WalkDir(corpus.Testdata(t, family), func(p string, e fs.DirEntry, err error) error {
				if err != nil || e.IsDir() {
					return err
				}
				table.Run(t, family+"/"+filepath.Base(p), func(t *testing.T, add func(what, outcome string)) {
					b := corpus.Bytes(t, p)
					probed(filepath.Base(p), b, add)
					probedEntries(p, b, add)
				})
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	})
}

// probedEntries probes the payloads of an archive as files of their own.
func probedEntries(p string, b []byte, add func(what, outcome string)) {
	f := sniff(p, b)
	if f == nil || f.Open == nil {
		return
	}
	a, err := f.Open(bytes.NewReader(b), int64(len(b)), &format.Env{Name: filepath.Base(p)})
	if err != nil {
		return
	}
	for i, e := range a.Entries() {
		if payload, err := a.Payload(i); err == nil && i < 12 {
			in := &format.Input{Head: payload, Size: int64(len(payload))}
			add("entry "+e.Path, sureOf(in))
		}
	}
}

// probed adds how sure formats are of a file.
func probed(name string, b []byte, add func(what, outcome string)) {
	whole := func(name string) *format.Input {
		return &format.Input{Name: name, Head: b, Size: int64(len(b))}
	}
	add("whole", sureOf(whole(name)))
	add("without a name", sureOf(whole("")))
	for _, other := range []string{".bin", ".dat", ".9", ".4", ".utf", ".u", ".u3d", ".flx", ".txt", ".ini", ".uz2", "_d.3d", "_a.3d", ".mesh", ".pal", ".snd"} {
		add("as "+other, sureOf(whole("x"+other)))
	}
	for _, n := range []int{0, 1, 2, 3, 4, 7, 8, 12, 16, 20, 24, 32, 63, 64, 80, 127, 128, 160, 256} {
		if n <= len(b) {
			add(fmt.Sprint("with a head of ", n), sureOf(&format.Input{Name: name, Head: b[:n], Size: int64(len(b)), At: bytes.NewReader(b)}))
			add(fmt.Sprint("cut to ", n), sureOf(&format.Input{Name: name, Head: b[:n], Size: int64(n)}))
		}
	}
	for _, at := range damage.Places(len(b))[:min(len(b), 200)] {
		for _, x := range []byte{0, 1, 0xff, b[at] + 1, b[at] - 1} {
			damaged := bytes.Clone(b)
			damaged[at] = x
			add(fmt.Sprintf("%d at 0x%x", x, at), sureOf(&format.Input{Name: name, Head: damaged, Size: int64(len(b))}))
		}
	}
	for _, size := range []int{len(b) - 1, len(b) + 1, len(b) / 2, 2 * len(b)} {
		add(fmt.Sprint("said to be of ", size), sureOf(&format.Input{Name: name, Head: b, Size: int64(size)}))
	}
}

// sureOf tells which formats take something for theirs, and how sure they are.
func sureOf(in *format.Input) string {
	var all []string
	for i := range formats.All {
		if f := &formats.All[i]; f.Probe != nil {
			if c := f.Probe(in); c > format.No {
				all = append(all, fmt.Sprint(f.Name, "=", c))
			}
		}
	}
	return "of " + strings.Join(all, " ")
}
