package format

import (
	"fmt"
	"strings"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// Functions are the typed functions of one format. T is its schema value, A the type of its asset. A program that knows
// which format it has calls them directly; [Of] makes a [Format] from them. A function is nil if the format lacks it.
type Functions[T any, A asset.Asset] struct {
	// Read decodes a whole file. The value may alias b; d may be nil.
	Read func(b []byte, d *schema.Diagnostics) (*T, error)
	// Write encodes what Read returned. For an unchanged value it returns the same bytes.
	Write func(v *T) ([]byte, error)
	// Check decodes the parts of a value that Read keeps as bytes, and returns the first error.
	Check func(v *T) error
	// Doubt warns of what the game would stumble over in a value that somebody edited in a document.
	Doubt func(v *T, d *schema.Diagnostics)
	// Facts describes a value for people.
	Facts func(v *T) []Fact
	// Detail describes data in other files that belongs to a value.
	Detail func(v *T, env *Env) []Fact
	// Lift turns a value into an asset.
	Lift func(v *T, env *Env) (A, error)
	// Lower turns an asset into a value. It uses the Native that Lift left, as far as the asset still agrees with it.
	Lower func(a A, env *Env) (*T, error)

	Opaque bool // the value has no JSON form
}

// pointed is Functions by the pointer to T. Code is compiled once for all pointers, and for each other type anew: for the values
// of all formats that would be half a megabyte.
type pointed[P any, A asset.Asset] struct {
	Read   func(b []byte, d *schema.Diagnostics) (P, error)
	Write  func(v P) ([]byte, error)
	Check  func(v P) error
	Doubt  func(v P, d *schema.Diagnostics)
	Facts  func(v P) []Fact
	Detail func(v P, env *Env) []Fact
	Lift   func(v P, env *Env) (A, error)
	Lower  func(a A, env *Env) (P, error)
	Opaque bool
}

// Of returns format f with the typed functions x added. Functions that do not fit together fail to compile.
func Of[T any, A asset.Asset](f Format, x Functions[T, A]) Format {
	if x.Write != nil && !x.Opaque {
		f.New = func() any { return new(T) }
	}
	return pointed[*T, A](x).of(f)
}

// of returns format f with the functions added. Each closure refers only to the function it needs, because every program
// start creates those of all formats.
func (x pointed[P, A]) of(f Format) Format {
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
			x, err := valueOf[P](f.Name, v)
			if err != nil {
				return nil, err
			}
			return write(x)
		}
	}
	if check := x.Check; check != nil {
		f.Check = func(v any) error {
			x, err := valueOf[P](f.Name, v)
			if err != nil {
				return err
			}
			return check(x)
		}
	}
	if doubt := x.Doubt; doubt != nil {
		f.Doubt = func(v any, d *schema.Diagnostics) {
			if x, err := valueOf[P](f.Name, v); err == nil {
				doubt(x, d)
			}
		}
	}
	if facts := x.Facts; facts != nil {
		f.Facts = func(v any) []Fact {
			x, err := valueOf[P](f.Name, v)
			if err != nil {
				return nil
			}
			return facts(x)
		}
	}
	if detail := x.Detail; detail != nil {
		f.Detail = func(v any, env *Env) []Fact {
			x, err := valueOf[P](f.Name, v)
			if err != nil {
				return nil
			}
			return detail(x, env.Given())
		}
	}
	if lift := x.Lift; lift != nil {
		f.Lift = func(v any, env *Env) (asset.Asset, error) {
			x, err := valueOf[P](f.Name, v)
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

// valueOf returns v as a value of a format, by its pointer. ErrUnsupported means one of another format, or none.
func valueOf[P any](name string, v any) (P, error) {
	var none P
	if x, ok := v.(P); ok && any(x) != any(none) {
		return x, nil
	}
	return none, schema.Errorf(name, schema.ErrUnsupported, "", "a %T is no value of this format", v)
}

// NotFrom returns the error for an asset of a kind that the named format cannot be made from.
func NotFrom(name string, a asset.Asset) error {
	kind := strings.ToLower(strings.TrimPrefix(fmt.Sprintf("%T", a), "*asset."))
	return schema.Errorf(name, schema.ErrUnsupported, "", "cannot be made from a %s", kind)
}

// lowerer refuses assets of another kind.
func lowerer[P any, A asset.Asset](name string, lower func(A, *Env) (P, error)) func(asset.Asset, *Env) (any, error) {
	return func(a asset.Asset, env *Env) (any, error) {
		x, ok := asset.Given(a).(A)
		if !ok {
			return nil, NotFrom(name, a)
		}
		if err := asset.Check(a); err != nil {
			return nil, err
		}
		v, err := lower(x, env.Given())
		if err != nil {
			return nil, err
		}
		return v, nil
	}
}
