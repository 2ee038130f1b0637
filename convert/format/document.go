package format

// Document is another form of a schema value, for JSON: with names in place of hashes, and packed bytes decoded. It loses
// nothing: Value(Show(v)) is written as the same bytes as v.
type Document struct {
	New   func() any                            // returns an empty document, for JSON to fill
	Show  func(v any, env *Env) (any, error)    // returns the document of a value
	Value func(document any) (v any, err error) // returns the value of a document
}

// Documented makes a Document from typed functions.
func Documented[T, D any](show func(v *T, env *Env) (*D, error), value func(d *D) (*T, error)) *Document {
	return &Document{
		New: func() any { return new(D) },
		Show: func(v any, env *Env) (any, error) {
			x, err := valueOf[*T]("json", v)
			if err != nil {
				return nil, err
			}
			return show(x, env)
		},
		Value: func(d any) (any, error) {
			x, err := valueOf[*D]("json", d)
			if err != nil {
				return nil, err
			}
			return value(x)
		},
	}
}

// EmptyDocument returns an empty value of the form that JSON shows for this format, to fill or to describe. It is nil if
// the format has no JSON form.
func (f *Format) EmptyDocument() any {
	switch {
	case f.Document != nil:
		return f.Document.New()
	case f.New != nil:
		return f.New()
	}
	return nil
}
