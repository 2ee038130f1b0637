package schema

import "testing"

// TestMessageWithoutPath: a message that is an error does not repeat the path that it has, nor within another one.
func TestMessageWithoutPath(t *testing.T) {
	at := func(path string, offset int64) error {
		return &FormatError{Format: "toy", Path: path, Offset: offset, Field: "size", Msg: "too large"}
	}
	for _, c := range []struct {
		path string
		err  error
		want string
	}{
		{"a/b", at("a/b", -1), "size: too large"},
		{"a/b", at("a/b", 16), "at 0x10: size: too large"},
		{"a/b", at("a/bc", -1), "a/bc: size: too large"},
		{"a/b", at("a", -1), "a: size: too large"},
		{"", at("a", -1), "a: size: too large"},
	} {
		d := new(Diagnostics)
		d.Warnf("odd", c.path, "%v", c.err)
		d.In("archive").Warnf("odd", c.path, "%v", c.err)
		for _, x := range d.All() {
			if x.Msg != c.want {
				t.Errorf("%s: %q, want %q", x.Path, x.Msg, c.want)
			}
		}
	}
}
