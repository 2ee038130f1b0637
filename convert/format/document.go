package format

// Document is how values of a format look in JSON where that is another form than the schema value: with names in the
// place of hashes, and what lies in bytes decoded. Nothing is lost in it: what Value returns of what Show returned is
// written as the same bytes.
type Document struct {
	New   func() any                            // an empty document, for JSON to fill
	Show  func(v any, env *Env) (any, error)    // a value as a document
	Value func(document any) (v any, err error) // what a document says
}

// Documented adapts typed functions to a Document.
func Documented[T, D any](show func(v *T, env *Env) (*D, error), value func(d *D) (*T, error)) *Document {
	return &Document{
		New:   func() any { return new(D) },
		Show:  func(v any, env *Env) (any, error) { return show(v.(*T), env) },
		Value: func(d any) (any, error) { return value(d.(*D)) },
	}
}
