package unreal

import (
	"bytes"
	"sync"

	"github.com/usher-assets/usher/convert/unreal/pack"
	"github.com/usher-assets/usher/convert/unreal/source"
	"github.com/usher-assets/usher/schema/unreal"
)

// Code is byte code as a listing, a token a line. It is made when somebody writes it out, and is for reading only.
type Code struct {
	make func() []byte
	mu   *sync.RWMutex // guards what make looks at
	text string
}

// MarshalText implements encoding.TextMarshaler.
func (c *Code) MarshalText() ([]byte, error) {
	if c.make == nil {
		return []byte(c.text), nil
	}
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.listing(), nil
}

// UnmarshalText implements encoding.TextUnmarshaler.
func (c *Code) UnmarshalText(b []byte) error {
	*c = Code{text: string(b)}
	return nil
}

func (c *Code) listing() []byte { return bytes.TrimSuffix(c.make(), []byte("\n")) }

// same reports whether a listing is that of an object, or is missing.
func (c *Code) same(was *Code) bool {
	if c == nil || c.make != nil {
		return true
	}
	return was != nil && c.text == string(was.listing())
}

// codeOf returns the byte code of an object; nil where it has none. That of a class whose script text somebody has taken
// out stands in the place of the text.
func (a *archive) codeOf(i int, o unreal.AnyObject) *Code {
	if code := source.CodeOf(o); len(code) > 0 {
		return &Code{make: func() []byte { return source.AppendListing(nil, a.File, code) }, mu: &a.mu}
	}
	class := a.scriptClass(i)
	if class < 0 || !o.Base().Opaque {
		return nil
	}
	return &Code{make: func() []byte { return classListing(a.File, class) }, mu: &a.mu}
}

// classListing lists the byte code of a class, and of the functions and states that it declares.
func classListing(f *pack.File, class int) []byte {
	l := lister{File: f, done: map[unreal.Ref]bool{}}
	l.add(unreal.Ref(class + 1))
	return l.text
}

type lister struct {
	*pack.File
	text []byte
	done map[unreal.Ref]bool
}

// add lists the byte code of an object below its name, and then that of what it declares.
func (l *lister) add(r unreal.Ref) {
	if l.done[r] {
		return
	}
	l.done[r] = true
	o, err := l.Object(int(r - 1))
	if err != nil {
		return
	}
	if code := source.CodeOf(o); len(code) > 0 {
		l.text = source.AppendListing(append(append(l.text, l.RefText(r)...), '\n'), l.File, code)
	}
	var first unreal.Ref
	switch o := o.(type) {
	case *unreal.Class:
		first = o.Children
	case *unreal.State:
		first = o.Children
	}
	list, _ := l.Children(first)
	for _, d := range list {
		if class := l.ClassName(d.Ref); class == "Function" || class == "State" {
			l.add(d.Ref)
		}
	}
}
