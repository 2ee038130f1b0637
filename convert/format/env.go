package format

import (
	"io"
	"strings"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/media"
)

// Env is what a conversion may look at beside its input.
type Env struct {
	Name        string              // base name of the input, without its folder
	Files       Files               // other files: textures beside a model, an archive's partners; may be nil
	Output      string              // base name of the file that Lower's result goes to, without its extension; may be empty
	Archive     ArchiveFile         // the archive that the input is an entry of; nil otherwise
	Entry       string              // its path there
	Stored      []byte              // the bytes that the value to lift was read from, not to be changed; nil when they are not known
	Options     Options             // what the user asked for
	Original    Original            // what an edited input was made from; nil when that is not known
	Used        func(path string)   // is told of a file that the result holds something of, where more are read than that; may be nil
	Plain       bool                // the result is for looking at: what only the way back needs may stay away
	Scratch     *Scratch            // memory for the pixels that Lift decodes, where they do not outlive the asset; may be nil
	Diagnostics *schema.Diagnostics // where oddities and losses go; may be nil

	// Emit takes a file that Lower wants beside its result, such as a model's texture; nil when nobody takes them. The
	// name is relative to the result's folder, with slashes.
	Emit func(name string, content []byte) error

	// Taken reports whether a file of that name belongs to another result of the same run, with another content; nil where
	// there is no other one. What Lower emits can have another name then.
	Taken func(name string, content []byte) bool

	// Decode decodes what a sound is stored as, such as MP3; nil where the program has no codec for it.
	Decode func(s *asset.Sound) (*asset.Sound, error)

	// Turn waits until the results that come before Lower's in the same run are done. Whatever is shared out among them
	// is to be taken after it, so that the order of names decides and not that of workers. Nil where nothing is shared.
	Turn func()
}

// Original is the native asset that an edited file was made from.
type Original interface {
	// Lift returns it as an asset, which is not to be changed.
	Lift() (asset.Asset, error)
}

// Samples returns a sound with its samples where it can be decoded, else as it is.
func (e *Env) Samples(s *asset.Sound) (*asset.Sound, error) {
	if e == nil || e.Decode == nil {
		return s, nil
	}
	return e.Decode(s)
}

// Told returns where oddities and losses go, on an Env that may be nil.
func (e *Env) Told() *schema.Diagnostics {
	if e == nil {
		return nil
	}
	return e.Diagnostics
}

// Encoding returns the encoding that the user asks for; empty for the usual one.
func (e *Env) Encoding() string {
	if e == nil {
		return ""
	}
	return e.Options.Encoding
}

// Effort returns how long encoders of pictures are to look for blocks.
func (e *Env) Effort() media.Effort {
	if e == nil {
		return media.Quick
	}
	return e.Options.Effort
}

// Given returns the environment, or an empty one in the place of none.
func (e *Env) Given() *Env {
	if e == nil {
		return new(Env)
	}
	return e
}

// Quiet returns the same environment without anybody who is told of oddities.
func (e *Env) Quiet() *Env {
	own := *e.Given()
	own.Diagnostics = nil
	return &own
}

// Files finds files that belong to an input.
type Files interface {
	// Find returns the content of the first file that one of the names leads to. It looks beside the input and in the
	// folders that the user named, without regard to case; folders in a name are tried, then stripped. The second
	// result is the path as found. A missing file is fs.ErrNotExist.
	Find(names ...string) (content []byte, path string, err error)
}

// Find is Files.Find on an Env that may have no Files.
func (e *Env) Find(names ...string) ([]byte, string, error) {
	if e == nil || e.Files == nil {
		return nil, "", errNoFiles
	}
	return e.Files.Find(names...)
}

// EntryName names an asset after its entry, or after its file; kind says what it is.
func (e *Env) EntryName(kind string) string {
	if e == nil {
		return kind
	}
	if e.Entry != "" {
		return kind + "_" + e.Entry
	}
	name := e.Name
	if i := strings.LastIndexByte(name, '.'); i > 0 {
		name = name[:i]
	}
	if name == "" {
		return kind
	}
	return name
}

// BaseName returns a file name without its folders, as any system writes them.
func BaseName(path string) string { return path[strings.LastIndexAny(path, `/\\`)+1:] }

// File is an output that is not yet on disk. Its name is relative, with slashes.
type File struct {
	Name    string
	Content []byte

	// Stream writes the content instead, where that is large and can be made piece by piece. What can be wrong with it
	// is checked before, as far as that is possible.
	Stream func(io.Writer) error
}

// WriteTo writes the content and returns its size.
func (f *File) WriteTo(w io.Writer) (int64, error) {
	if f.Stream == nil {
		n, err := w.Write(f.Content)
		return int64(n), err
	}
	c := &countingWriter{w: w}
	err := f.Stream(c)
	return c.n, err
}

type countingWriter struct {
	w io.Writer
	n int64
}

func (c *countingWriter) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	c.n += int64(n)
	return n, err
}
