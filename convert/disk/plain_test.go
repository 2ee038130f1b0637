package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestPlainError: an error loses the call and the path that its caller names anyway, and is still what it was.
func TestPlainError(t *testing.T) {
	_, missing := os.Stat(filepath.Join(t.TempDir(), "none"))
	other := errors.New("torn")
	for _, c := range []struct {
		err, is error
		want    string
	}{
		{missing, fs.ErrNotExist, "no such file or directory"}, {&fs.PathError{Op: "open", Path: "x", Err: fs.ErrPermission}, fs.ErrPermission, "permission denied"}, {&fs.PathError{Op: "read", Path: "x", Err: other}, other, "torn"}, {other, other, "torn"},
	} {
		if got := PlainError(c.err); got.Error() != c.want || !errors.Is(got, c.is) {
			t.Errorf("%v: %v, want %s", c.err, got, c.want)
		}
	}
	if PlainError(nil) != nil {
		t.Error("nothing is an error")
	}
}

// TestLongNames: a long name is cut between letters, keeps a short extension, and stays apart from others that begin as it does.
func TestLongNames(t *testing.T) {
	for _, c := range []struct{ name, ext string }{
		{strings.Repeat("a", 300) + ".png", ".png"}, {strings.Repeat("ä", 200) + ".png", ".png"}, {"a" + strings.Repeat("ä", 200) + ".png", ".png"}, {strings.Repeat("日", 150), ""}, {"a" + strings.Repeat("日", 150), ""}, {"ab" + strings.Repeat("日", 150), ""},
		{strings.Repeat("a", 300) + "." + strings.Repeat("b", 15), "." + strings.Repeat("b", 15)}, {strings.Repeat("a", 300) + "." + strings.Repeat("b", 16), ""},
	} {
		got := SafeName(c.name)
		stem, rest, ok := strings.Cut(got, "~")
		if !ok || !utf8.ValidString(got) || !strings.HasPrefix(c.name, stem) || len(got) > maxName || len(got) < maxName-3 || len(rest) != 8+len(c.ext) || rest[8:] != c.ext {
			t.Errorf("%.20s…: %s of %d bytes", c.name, got, len(got))
		}
		if other := SafeName(strings.Replace(c.name, filepath.Ext(c.name), "x"+filepath.Ext(c.name), 1)); other == got {
			t.Errorf("%.20s… is another's name", c.name)
		}
	}
	if exact := strings.Repeat("a", maxName); SafeName(exact) != exact {
		t.Error("a name that is just short enough is cut")
	}
}
