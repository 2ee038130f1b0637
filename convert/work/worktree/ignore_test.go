package worktree

import (
	"strings"
	"testing"
)

// TestIgnoring holds that patterns mean what gitignore(5) says of them.
func TestIgnoring(t *testing.T) {
	for _, x := range []struct{ lines, passed, kept string }{
		{"*.tiff", "a.tiff in/a.tiff", "a.tif atiff"},
		{"*.tiff !keep.tiff", "a.tiff", "keep.tiff in/keep.tiff"},
		{"!a.png a.png", "a.png", ""},
		{"drafts/", "drafts/ in/drafts/", "drafts in/drafts"},
		{"/top.png", "top.png", "in/top.png"},
		{"in/*.png", "in/a.png", "a.png out/in/a.png in/deep/a.png"},
		{"**/in/a.png", "in/a.png out/in/a.png", "a.png"},
		{"in/**", "in/a.png in/deep/a.png in/deep/", "in/ in"},
		{"in/**/a", "in/a in/deep/a in/very/deep/a", "a in/b"},
		{"a?.[bc]* [!x]y", "ab.c1 zy", "a.c xy"},
		{"[^a]b [[:digit:]]", "bb 7", "ab x"},
		{"in/* !in/keep", "in/a in/b/", "in/keep in"},
		{`\#a \!b {c,d}`, "#a !b {c,d}", "a b c d"},
		{"#a [", "", "a #a ["},
		{"a.png\r b.png\r", "a.png b.png", "c.png"},
	} {
		all := newIgnoring(strings.Split(x.lines, " "))
		for want, paths := range map[bool]string{true: x.passed, false: x.kept} {
			for _, path := range strings.Fields(paths) {
				name, folder := strings.CutSuffix(path, "/")
				if got := all.match(name, folder); got != want {
					t.Errorf("%q passes over %s: %v, want %v", x.lines, path, got, want)
				}
			}
		}
	}
	if all := newIgnoring([]string{`a\ `, "b  "}); !all.match("a ", false) || !all.match("b", false) {
		t.Error("spaces at the end of lines: escaped ones count, others do not")
	}
}
