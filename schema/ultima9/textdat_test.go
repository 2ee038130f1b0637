package ultima9_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/usher-assets/usher/schema/ultima9"
)

// TestTextTableFollows: an item leads to that of another line of the same speaker, whose name nobody knows, whatever the
// number of buckets and the lengths.
func TestTextTableFollows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		table := ultima9.NewTextTable(rapid.IntRange(1, 1<<13).Draw(t, "buckets"))
		line := rapid.StringOf(rapid.RuneFrom([]rune("abc .!\u00e9\u00ff")))
		speaker, was, is := rapid.StringMatching("[A-Z][a-z]{0,20}").Draw(t, "speaker"), line.Draw(t, "was"), line.Draw(t, "is")
		slot := rapid.Uint32().Draw(t, "slot")
		old, err := table.Item(ultima9.TextKey(speaker, was), slot)
		if err != nil {
			t.Fatal(err)
		}
		want, err := table.Item(ultima9.TextKey(speaker, is), slot)
		if err != nil {
			t.Fatal(err)
		}
		got, known, err := table.Follow(old, was, is, []string{"UI"})
		if err != nil || got != want || known {
			t.Fatalf("%+v, %v, %v; want %+v", got, known, err, want)
		}
		got, known, err = table.Follow(old, was, is, []string{"UI", speaker})
		if err != nil || got != want || !known {
			t.Fatalf("%+v, %v, %v; want %+v by name", got, known, err, want)
		}
		other, err := table.Item(ultima9.TextKey(speaker, is+"x"), 7)
		if err != nil {
			t.Fatal(err)
		}
		a, err1 := table.Speaker(old, was)
		b, err2 := table.Speaker(other, is+"x")
		if err1 != nil || err2 != nil || a != b {
			t.Fatalf("one speaker is %x and %x (%v, %v)", a, b, err1, err2)
		}
	})
}

func TestTextTableMarkerFollows(t *testing.T) {
	table := ultima9.NewTextTable(1021)
	old, _ := table.Item(ultima9.FileKey("a : BEGIN FILE"), 3)
	want, _ := table.Item(ultima9.FileKey("b : BEGIN FILE"), 3)
	if got, known, err := table.Follow(old, "a : BEGIN FILE", "b : BEGIN FILE", nil); err != nil || !known || got != want {
		t.Errorf("%+v, %v, %v", got, known, err)
	}
}

// Errors: what Latin-1 lacks, a bucket that cannot be the line's, and one that does not tell.
func TestTextTableDoesNotFollow(t *testing.T) {
	table := ultima9.NewTextTable(4096)
	old, _ := table.Item(ultima9.TextKey("Bren", "Begone."), 3)
	wrong := old
	wrong.Bucket ^= 1
	large := ultima9.NewTextTable(1 << 20)
	short, _ := large.Item(ultima9.TextKey("Bren", ""), 3)
	for _, c := range []struct {
		table   *ultima9.TextTable
		item    ultima9.TextItem
		was, is string
		want    string
	}{
		{table, old, "Begone.", "Weg da, \u0141ukasz!", "Latin-1"},
		{table, wrong, "Begone.", "Stay.", "whoever says it"},
		{table, ultima9.TextItem{Bucket: 4096}, "a", "b", "4096 of 4096"},
		{large, short, "", "x", "does not tell its speaker"},
	} {
		if _, _, err := c.table.Follow(c.item, c.was, c.is, nil); err == nil || !strings.Contains(fmt.Sprint(err), c.want) {
			t.Errorf("%q: %v, want %q", c.was, err, c.want)
		}
	}
}
