package batch

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/usher-assets/usher/convert"
)

// A record is read as it was written, and over an earlier one.
func TestRecord(t *testing.T) {
	out, err := convert.OpenFolder(t.TempDir(), false)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	var want map[string]recordEntry
	for _, stems := range [][]string{{}, {"one"}, {"one", `tw"o/x`}} {
		r := readRecord(out)
		for _, stem := range stems {
			r.add(stem, recordEntry{Key: "key of " + stem, Needs: []*need{{Names: []string{"a", "b"}, Found: "hash"}}}, []convert.File{{Name: stem + ".png"}}, []convert.Output{{Path: stem, Size: 7}})
		}
		r.changed = true
		if err := r.save(out, false); err != nil {
			t.Fatal(err)
		}
		want = r.Outputs
	}
	if diff := cmp.Diff(want, readRecord(out).Outputs); diff != "" || len(want) != 2 {
		t.Errorf("%d outputs: %s", len(want), diff)
	}
}
