package batch

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/usher-assets/usher/convert/disk"
)

// A record is read as it was written, and over an earlier one.
func TestRecord(t *testing.T) {
	out, err := disk.Open(t.TempDir(), false)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	var want map[string]recordEntry
	for _, stems := range [][]string{{}, {"one"}, {"one", `tw"o/x`}} {
		r, err := readRecord(out)
		if err != nil {
			t.Fatal(err)
		}
		for _, stem := range stems {
			e := recordEntry{Key: "key of " + stem, Needs: []*need{{Names: []string{"a", "b"}, Found: "hash"}}}
			e.Files = []recordFile{{stem + ".png", disk.Stamp{Size: 7, Time: 8, Hash: "9"}}}
			if err := r.begin(stem, e); err != nil {
				t.Fatal(err)
			}
			again, err := readRecord(out) // as a run does that comes after a killed one
			if diff := cmp.Diff(r.Outputs, again.Outputs); err != nil || diff != "" || !again.begun[stem] {
				t.Errorf("from the journal: %v, %s", err, diff)
			}
		}
		r.changed = true
		if err := r.save(out, false); err != nil {
			t.Fatal(err)
		}
		want = r.Outputs
	}
	got, err := readRecord(out)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got.Outputs); diff != "" || len(want) != 2 || len(got.begun) > 0 {
		t.Errorf("%d outputs, %v from a journal that is done: %s", len(want), got.begun, diff)
	}
}
