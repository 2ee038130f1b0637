package format

import (
	"io"
	"strings"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/media"
)

// Env is the context of a conversion: its input, the files beside it, the user's options, and where results and messages
// go. A nil Env means that there is none of these.
type Env struct {
	Name        string              // base name of the input, without its folder
	Files       Files               // finds other files, such as textures beside a model or an archive's partners; may be nil
	Output      string              // base name of the file that Lower's result goes to, without extension; may be empty
	Archive     ArchiveFile         // the archive that holds the input; nil if it is a file of its own
	Entry       string              // the input's path in Archive
	Stored      []byte              // the bytes of the value to lift, read-only; nil if unknown
	Options     Options             // what the user asked for
	Original    Original            // the native asset that an edited input was made from; nil if unknown
	Used        func(path string)   // is called with the path of each file whose content went into the result; may be nil
	Plain       bool                // the result is only for viewing: what only the way back needs may be left out
	Moving      bool                // of a texture that moves all frames are wanted, and not only the first
	Scratch     *Scratch            // memory for decoded pixels, if assets are used one at a time; may be nil
	Diagnostics *schema.Diagnostics // receives warnings and losses; may be nil

	// Emit receives a file that Lower writes beside its result, such as a model's texture. Its name is relative to the
	// result's folder, with slashes. Emit is nil if the caller takes no such files.
	Emit func(name string, content []byte) error

	// Taken reports whether another result of the same run has a file of this name with different content. Lower can then emit
	// its file under another name. Taken is nil if there is only one result.
	Taken func(name string, content []byte) bool

	// Decode decodes a compressed sound, such as MP3. It is nil if the program includes no such codec.
	Decode func(s *asset.Sound) (*asset.Sound, error)

	// Turn waits until all results before this one in the same run are done. Lower calls it before it takes something that the
	// results share, such as a name or a free slot, so that the outcome does not depend on the timing of goroutines. It is nil
	// if nothing is shared.
	Turn func()
}

// Original is the native asset that an edited file was made from.
type Original interface {
	// Lift returns the original as an asset. The caller must not change it.
	Lift() (asset.Asset, error)
}

// Samples returns a sound with decoded samples if its codec is known, otherwise unchanged.
func (e *Env) Samples(s *asset.Sound) (*asset.Sound, error) {
	if e == nil || e.Decode == nil {
		return s, nil
	}
	return e.Decode(s)
}

// Told returns the Diagnostics of the environment. The environment may be nil.
func (e *Env) Told() *schema.Diagnostics {
	if e == nil {
		return nil
	}
	return e.Diagnostics
}

// Encoding returns the encoding that the user chose; empty for the default.
func (e *Env) Encoding() string {
	if e == nil {
		return ""
	}
	return e.Options.Encoding
}

// Effort returns how hard picture encoders should search for good blocks.
func (e *Env) Effort() media.Effort {
	if e == nil {
		return media.Quick
	}
	return e.Options.Effort
}

// Given returns e, or an empty environment if e is nil.
func (e *Env) Given() *Env {
	if e == nil {
		return new(Env)
	}
	return e
}

// Quiet returns a copy of the environment that discards diagnostics.
func (e *Env) Quiet() *Env {
	own := *e.Given()
	own.Diagnostics = nil
	return &own
}

// Files finds the files that an input refers to.
type Files interface {
	// Find returns the content and the path of the first file that one of the names leads to. It searches beside the input and
	// in the folders that the user named, ignoring case. It tries a name first with its folders, then without. The error is
	// fs.ErrNotExist if there is no such file.
	Find(names ...string) (content []byte, path string, err error)
}

// Find calls Files.Find. Without Files, every file is missing.
func (e *Env) Find(names ...string) ([]byte, string, error) {
	if e == nil || e.Files == nil {
		return nil, "", errNoFiles
	}
	return e.Files.Find(names...)
}

// EntryName returns a name for an asset: kind with the path of its entry, as in "model_3", or else the name of its file
// without extension, or else kind.
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

// BaseName returns a file name without its folders, separated by slashes or backslashes.
func BaseName(path string) string { return path[strings.LastIndexAny(path, `/\\`)+1:] }

// File is an output file that is not yet on disk. Its name is relative, with slashes.
type File struct {
	Name    string
	Content []byte

	// Stream writes the content if that is too large to hold in Content. Errors in the data are found before Stream is called,
	// as far as possible.
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
