package format

import (
	"fmt"
	"strings"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// Functions are those of one format, typed: T is its schema value, A the kind of asset that it meets. A program that
// knows which format it has calls them as they are; [Of] makes a row of the list of formats of them. A function that the
// format lacks is nil.
type Functions[T any, A asset.Asset] struct {
	// Read decodes a leaf: all of its bytes in. The value may alias b; d may be nil.
	Read func(b []byte, d *schema.Diagnostics) (*T, error)
	// Write encodes what Read returned. For an unchanged value it returns the same bytes.
	Write func(v *T) ([]byte, error)
	// Check decodes what the value holds, where Read keeps it as bytes.
	Check func(v *T) error
	// Facts describes a value for people.
	Facts func(v *T) []Fact
	// Detail describes what belongs to a value and lies in other files.
	Detail func(v *T, env *Env) []Fact
	// Lift turns a value into an asset.
	Lift func(v *T, env *Env) (A, error)
	// Lower turns an asset back into a value, using the Native that Lift left where it is still true.
	Lower func(a A, env *Env) (*T, error)

	Opaque bool // the value is no document: it has no form as JSON
}

// Of returns a format with functions. Those that do not fit each other do not compile. Each of them holds on to the one that
// it calls, not to all of x: every start of a program makes those of all formats.
func Of[T any, A asset.Asset](f Format, x Functions[T, A]) Format {
	if read := x.Read; read != nil {
		f.Read = func(b []byte, d *schema.Diagnostics) (any, error) {
			v, err := read(b, d)
			if err != nil {
				return nil, err
			}
			return v, nil
		}
	}
	if write := x.Write; write != nil {
		f.Write = func(v any) ([]byte, error) {
			x, err := valueOf[T](f.Name, v)
			if err != nil {
				return nil, err
			}
			return write(x)
		}
	}
	if x.Write != nil && !x.Opaque {
		f.New = func() any { return new(T) }
	}
	if check := x.Check; check != nil {
		f.Check = func(v any) error {
			x, err := valueOf[T](f.Name, v)
			if err != nil {
				return err
			}
			return check(x)
		}
	}
	if facts := x.Facts; facts != nil {
		f.Facts = func(v any) []Fact {
			x, err := valueOf[T](f.Name, v)
			if err != nil {
				return nil
			}
			return facts(x)
		}
	}
	if detail := x.Detail; detail != nil {
		f.Detail = func(v any, env *Env) []Fact {
			x, err := valueOf[T](f.Name, v)
			if err != nil {
				return nil
			}
			return detail(x, env.Given())
		}
	}
	if lift := x.Lift; lift != nil {
		f.Lift = func(v any, env *Env) (asset.Asset, error) {
			x, err := valueOf[T](f.Name, v)
			if err != nil {
				return nil, err
			}
			a, err := lift(x, env.Given())
			if err != nil {
				return nil, err
			}
			return a, nil
		}
	}
	if lower := x.Lower; lower != nil {
		f.Lower = lowerer(f.Name, lower)
	}
	return f
}

// valueOf returns v as a value of a format. ErrUnsupported means one of another format, or none.
func valueOf[T any](name string, v any) (*T, error) {
	if x, ok := v.(*T); ok && x != nil {
		return x, nil
	}
	return nil, schema.Errorf(name, schema.ErrUnsupported, "", "a %T is no value of this format", v)
}

// NotFrom is the error of a format that cannot be made from an asset of that kind.
func NotFrom(name string, a asset.Asset) error {
	kind := strings.ToLower(strings.TrimPrefix(fmt.Sprintf("%T", a), "*asset."))
	return schema.Errorf(name, schema.ErrUnsupported, "", "cannot be made from a %s", kind)
}

// lowerer refuses assets of another kind.
func lowerer[T any, A asset.Asset](name string, lower func(A, *Env) (*T, error)) func(asset.Asset, *Env) (any, error) {
	return func(a asset.Asset, env *Env) (any, error) {
		x, ok := asset.Given(a).(A)
		if !ok {
			return nil, NotFrom(name, a)
		}
		v, err := lower(x, env.Given())
		if err != nil {
			return nil, err
		}
		return v, nil
	}
}
