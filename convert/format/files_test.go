package format_test

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"testing"

	"github.com/usher-assets/usher/convert/format"
)

type files map[string]string

func (f files) Find(names ...string) ([]byte, string, error) {
	for _, n := range names {
		if s, ok := f[n]; ok {
			return []byte(s), n, nil
		}
	}
	return nil, "", fs.ErrNotExist
}

// filesAt opens files; reading them whole would be an error.
type filesAt struct{ files }

func (f filesAt) FindAt(names ...string) (io.ReaderAt, int64, string, error) {
	b, path, err := f.files.Find(names...)
	return bytes.NewReader(b), int64(len(b)), "opened " + path, err
}

func TestFindAt(t *testing.T) {
	for _, c := range []struct {
		env  *format.Env
		name string
		path string
		err  error
	}{
		{nil, "a", "", fs.ErrNotExist},
		{&format.Env{}, "a", "", fs.ErrNotExist},
		{&format.Env{Files: files{"a": "content"}}, "a", "a", nil},
		{&format.Env{Files: files{"a": "content"}}, "b", "", fs.ErrNotExist},
		{&format.Env{Files: filesAt{files{"a": "content"}}}, "a", "opened a", nil},
	} {
		r, size, path, err := c.env.FindAt(c.name)
		if !errors.Is(err, c.err) || c.err == nil && (err != nil || path != c.path) {
			t.Errorf("%s: %q, %v", c.name, path, err)
			continue
		}
		if err != nil {
			continue
		}
		b := make([]byte, size)
		if _, err := r.ReadAt(b, 0); err != nil && err != io.EOF || string(b) != "content" {
			t.Errorf("%q read (%v)", b, err)
		}
	}
}
