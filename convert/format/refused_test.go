package format

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

type number struct{ N int }

// numbers has functions that fail for a negative number.
var numbers = Functions[number, *asset.Text]{
	Read: func(b []byte, _ *schema.Diagnostics) (*number, error) {
		if len(b) == 0 {
			return nil, errBad
		}
		return &number{int(b[0])}, nil
	},
	Write:  func(v *number) ([]byte, error) { return []byte{byte(v.N)}, fails(v) },
	Check:  fails,
	Facts:  func(v *number) []Fact { return []Fact{{"n", v.N}} },
	Detail: func(v *number, env *Env) []Fact { return []Fact{{"name", env.Name}} },
	Lift:   func(v *number, env *Env) (*asset.Text, error) { return &asset.Text{Body: "n" + env.Name}, fails(v) },
	Lower:  func(t *asset.Text, env *Env) (*number, error) { v := &number{len(t.Body) - 1}; return v, fails(v) },
}

var errBad = errors.New("bad")

func fails(v *number) error {
	if v.N < 0 {
		return errBad
	}
	return nil
}

// TestOfRefuses: functions of a format take its own values; others, and none, are refused, and so is what they fail at.
func TestOfRefuses(t *testing.T) {
	f := Of(Format{Name: "x"}, numbers)
	if v, err := f.Read([]byte{7}, nil); err != nil || v.(*number).N != 7 {
		t.Errorf("read: %v, %v", v, err)
	}
	if v, err := f.Read(nil, nil); v != nil || !errors.Is(err, errBad) {
		t.Errorf("read of nothing: %v, %v", v, err)
	}
	for _, c := range []struct {
		what string
		v    any
		err  error
	}{{"its own", &number{7}, nil}, {"a bad one", &number{-1}, errBad}, {"another", &asset.Text{}, schema.ErrUnsupported}, {"none", nil, schema.ErrUnsupported}, {"none of its own", (*number)(nil), schema.ErrUnsupported}} {
		b, err1 := f.Write(c.v)
		a, err2 := f.Lift(c.v, nil)
		for _, err := range []error{err1, err2, f.Check(c.v)} {
			if !errors.Is(err, c.err) || c.err == nil && err != nil {
				t.Errorf("%s: %v, want %v", c.what, err, c.err)
			}
		}
		own := c.err != schema.ErrUnsupported
		if facts, detail := f.Facts(c.v), f.Detail(c.v, nil); (len(facts) == 1) != own || (len(detail) == 1) != own {
			t.Errorf("%s: %v, %v", c.what, facts, detail)
		}
		if c.err == nil && (string(b) != "\x07" || a.(*asset.Text).Body != "n") || c.err != nil && a != nil {
			t.Errorf("%s: %q, %v", c.what, b, a)
		}
	}
	for _, c := range []struct {
		a    asset.Asset
		want any
		err  error
	}{{&asset.Text{Body: "abc"}, &number{2}, nil}, {&asset.Text{}, nil, errBad}, {&asset.Sound{}, nil, schema.ErrUnsupported}, {nil, nil, schema.ErrUnsupported}} {
		if v, err := f.Lower(c.a, nil); !reflect.DeepEqual(v, c.want) || !errors.Is(err, c.err) {
			t.Errorf("%T: %v, %v", c.a, v, err)
		}
	}
	if err := NotFrom("x", new(asset.Sound)); !strings.HasSuffix(err.Error(), "cannot be made from a sound") {
		t.Errorf("%v", err)
	}
	if _, ok := f.New().(*number); !ok || Of(Format{}, Functions[number, *asset.Text]{Write: numbers.Write, Opaque: true}).New != nil || Of(Format{}, Functions[number, *asset.Text]{Read: numbers.Read}).New != nil {
		t.Error("what is written has a document, but for what is opaque")
	}
	if empty := Of(Format{}, Functions[number, *asset.Text]{}); empty.Read != nil || empty.Write != nil || empty.Check != nil || empty.Facts != nil || empty.Detail != nil || empty.Lift != nil || empty.Lower != nil {
		t.Error("functions that nobody gave are there")
	}
}

// TestDocumentForms: a value goes into its document and back; what is none of either is refused.
func TestDocumentForms(t *testing.T) {
	type page struct{ Text string }
	d := Documented(func(v *number, _ *Env) (*page, error) { return &page{strings.Repeat("i", v.N)}, nil }, func(p *page) (*number, error) { return &number{len(p.Text)}, nil })
	shown, err := d.Show(&number{3}, nil)
	if err != nil || shown.(*page).Text != "iii" {
		t.Errorf("%v, %v", shown, err)
	}
	if v, err := d.Value(shown); err != nil || v.(*number).N != 3 {
		t.Errorf("%v, %v", v, err)
	}
	if _, err := d.Show(shown, nil); !errors.Is(err, schema.ErrUnsupported) {
		t.Errorf("%v", err)
	}
	if _, err := d.Value(&number{}); !errors.Is(err, schema.ErrUnsupported) {
		t.Errorf("%v", err)
	}
	for want, f := range map[any]*Format{page{}: {Document: d, New: func() any { return new(number) }}, number{}: {New: func() any { return new(number) }}, nil: {}} {
		got := f.EmptyDocument()
		if want == nil && got != nil || want != nil && !reflect.DeepEqual(reflect.ValueOf(got).Elem().Interface(), want) {
			t.Errorf("%T, want %T", got, want)
		}
	}
}

// TestWords: what an archive can do has words, in the order of the fields; what it cannot do has none.
func TestWords(t *testing.T) {
	all := Abilities{Files: true, Rename: func(int, string) error { return nil }, Renamed: func() map[string]string { return nil }, Partners: func() []string { return nil }}
	if got := all.Words(); !slices.Equal(got, []string{"holds files", "renames", "has partners"}) {
		t.Errorf("%q", got)
	}
	if got := (Abilities{}).Words(); got != nil {
		t.Errorf("%q", got)
	}
}

// TestEncode: what is written is read back where that is cheap, and refused where it cannot be read.
func TestEncode(t *testing.T) {
	refuses := func(b []byte, _ *schema.Diagnostics) (any, error) { return nil, errBad }
	writes := func(n int) func(any) ([]byte, error) {
		return func(any) ([]byte, error) { return make([]byte, n), nil }
	}
	for _, c := range []struct {
		what string
		f    Format
		ok   bool
	}{
		{"read back", Format{Read: refuses, Write: writes(1)}, false}, {"as large as that", Format{Read: refuses, Write: writes(readBack)}, false}, {"too large for it", Format{Read: refuses, Write: writes(readBack + 1)}, true}, {"a picture", Format{Read: refuses, Write: writes(1), Kind: Texture}, true},
		{"without a reader", Format{Write: writes(1)}, true}, {"not written", Format{Read: refuses, Write: func(any) ([]byte, error) { return nil, errBad }}, false},
	} {
		b, err := c.f.Encode(nil)
		if (err == nil) != c.ok || err != nil && !errors.Is(err, errBad) || c.ok == (b == nil) {
			t.Errorf("%s: %d bytes, %v", c.what, len(b), err)
		}
	}
	if got := Kind(99).String() + Raw.String() + Model.String(); got != "kind 99rawmodel" {
		t.Errorf("%s", got)
	}
}

// TestNobodysEnv: without surroundings everything is the usual.
func TestNobodysEnv(t *testing.T) {
	var none *Env
	if none.Encoding() != "" || none.Given() == nil || none.Told() != nil || none.Quiet().Diagnostics != nil {
		t.Error("nobody asks for something")
	}
	own := &Env{Name: "a", Diagnostics: new(schema.Diagnostics)}
	if own.Given() != own || own.Told() != own.Diagnostics || own.Quiet().Name != "a" || own.Diagnostics == nil {
		t.Error("what is there is not given")
	}
}
