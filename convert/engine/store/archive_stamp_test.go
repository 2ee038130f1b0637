package store

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/cespare/xxhash/v2"

	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/engine/find"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/testdata/corpus"
)

// What is read in any order, twice, in part or not at all: the hash is that of the file.
func TestHashOnTheWay(t *testing.T) {
	b := make([]byte, 2*leap)
	for i := range b {
		b[i] = byte(i >> 8 * 7)
	}
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, b, 0o666); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for name, spans := range map[string][][2]int{
		"nothing":     {},
		"all":         {{0, len(b)}},
		"a head":      {{0, 100}, {100, 500}},
		"twice":       {{0, 100}, {0, 100}, {50, 200}},
		"out of turn": {{300, 400}, {0, 300}, {400, 500}},
		"far off":     {{leap + 1, leap + 50}, {0, 10}},
		"the end":     {{len(b) - 5, len(b)}, {3, len(b)}},
	} {
		p := &passed{from: io.NewSectionReader(file, 0, int64(len(b))), hash: xxhash.New()}
		for _, s := range spans {
			p.pass(b[s[0]:s[1]], int64(s[0]))
		}
		if sum, err := p.rest(); err != nil || sum != xxhash.Sum64(b) {
			t.Errorf("%s: %s, %v, want %s", name, disk.HashText(sum), err, disk.HashText(xxhash.Sum64(b)))
		}
	}
}

// Neighbours are read together; entries that are not neighbours, or not there, are not.
func TestBorrowAll(t *testing.T) {
	a, err := OpenArchive(corpus.Testdata(t, "ultima9", "bitmap16.flx"), nil, &format.Env{Name: "bitmap16.flx", Files: find.NewFiles(corpus.Testdata(t, "ultima9"))})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	var all []int
	for i := range a.Entries() {
		all = append(all, i)
	}
	l, payloads := a.BorrowAll(all)
	defer l.Release()
	if len(payloads) != len(all) || len(all) < 2 {
		t.Fatalf("%d payloads of %d", len(payloads), len(all))
	}
	for i, b := range payloads {
		if want, err := a.Payload(i); err != nil || string(b) != string(want) {
			t.Errorf("entry %d: %d bytes, want %d, %v", i, len(b), len(want), err)
		}
	}
	if err := a.Replace(1, []byte("new")); err != nil {
		t.Fatal(err)
	}
	for _, list := range [][]int{all, {0, len(all)}, nil} {
		l, payloads := a.BorrowAll(list)
		if payloads != nil {
			t.Errorf("%v: %d payloads", list, len(payloads))
		}
		l.Release()
	}
}
