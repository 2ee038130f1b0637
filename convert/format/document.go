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
		New: func() any { return new(D) },
		Show: func(v any, env *Env) (any, error) {
			x, err := valueOf[T]("json", v)
			if err != nil {
				return nil, err
			}
			return show(x, env)
		},
		Value: func(d any) (any, error) {
			x, err := valueOf[D]("json", d)
			if err != nil {
				return nil, err
			}
			return value(x)
		},
	}
}

// EmptyDocument returns an empty document of the format, in the form that JSON shows it, to fill or to describe; nil for
// a format without documents.
func (f *Format) EmptyDocument() any {
	switch {
	case f.Document != nil:
		return f.Document.New()
	case f.New != nil:
		return f.New()
	}
	return nil
}
