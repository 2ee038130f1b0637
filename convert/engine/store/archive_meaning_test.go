package store

import (
	"testing"

	"github.com/usher-assets/usher/schema"
)

// TestMeaning: an index stands for what it means, whatever its number and its width; all else stays, and where it begins counts.
func TestMeaning(t *testing.T) {
	index := func(offset, size int64, means string) schema.Span {
		return schema.Span{Offset: offset, Size: size, Layout: schema.LayoutIndex, Means: means}
	}
	for _, c := range []struct {
		name    string
		payload string
		spans   []schema.Span
		want    string
	}{
		{"one", "ab7cd", []schema.Span{index(2, 1, "Wood")}, "\x02ab\x04Woodcd"},
		{"another width", "ab77cd", []schema.Span{index(2, 2, "Wood")}, "\x02ab\x04Woodcd"},
		{"several, in any order", "7a8", []schema.Span{index(2, 1, "B"), index(0, 1, "A")}, "\x00\x01A\x01a\x01B"},
		{"a count", "ab7cd", []schema.Span{index(2, 1, "")}, ""},
		{"another layout", "ab7cd", []schema.Span{{Offset: 2, Size: 1, Layout: "u8", Means: "Wood"}}, ""},
		{"one within another", "a77b", []schema.Span{index(1, 2, "A"), index(2, 1, "B")}, "\x01a\x01Ab"},
		{"none", "ab", nil, ""},
	} {
		if got := string(meaning([]byte(c.payload), c.spans)); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
