package store

import (
	"bytes"

	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/format"
)

// OpenInside opens an archive as [OpenArchive] does, and looks through one that holds a single file: if that is an archive
// itself, it is opened in its place. What was looked through is closed, and the path stays.
func OpenInside(path string, from *format.Format, env *format.Env) (*Archive, error) {
	a, err := OpenArchive(path, from, env)
	if err != nil || !a.able.One {
		return a, err
	}
	in, err := a.inside(env)
	if err != nil || in == nil {
		return a, nil // the file in it is no archive, or a damaged one: then it is a file
	}
	return in, a.Close()
}

// inside opens the single file of an archive; nil if that is none.
func (a *Archive) inside(env *format.Env) (*Archive, error) {
	b, err := a.Payload(0)
	if err != nil {
		return nil, err
	}
	name := a.Entries()[0].Path
	f := formats.Sniff(formats.NewInput(name, b))
	if f == nil || f.Open == nil || f.Kind != format.Archive {
		return nil, nil
	}
	own := *env.Given()
	own.Name = name
	in, err := OpenArchiveAt(bytes.NewReader(b), int64(len(b)), f, &own)
	if err != nil {
		return nil, err
	}
	in.Path = a.Path
	return in, nil
}
