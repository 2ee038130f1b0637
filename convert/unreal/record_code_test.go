package unreal

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
)

// compiled opens a package of a class of ours that the game's own compiler made.
func compiled(t testing.TB) *archive {
	t.Helper()
	b, err := os.ReadFile("source/testdata/code.u")
	if err != nil {
		t.Fatal(err)
	}
	return openBytes(t, "Code.u", b)
}

// TestReadOnlyCode: a function shows its byte code; what somebody edits of that is refused, and what is missing counts as untouched.
func TestReadOnlyCode(t *testing.T) {
	a := compiled(t)
	i := entry(t, a, "UsherCode.Fin")
	shown := func() string {
		b, err := json.Marshal(recordOf(t, a, "UsherCode.Fin"))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	const code = `"ReadOnlyCode":"0000  Return\n0001    LocalVariable Z\n0006  Return\n0007    Nothing"`
	text := shown()
	if !strings.Contains(text, code) {
		t.Fatalf("%s", text)
	}
	for _, c := range []struct {
		name, text string
		refused    bool
	}{
		{"as it was", text, false},
		{"without the listing", strings.Replace(text, ","+code, "", 1), false},
		{"another token", strings.Replace(text, "LocalVariable Z", "LocalVariable T", 1), true},
		{"no tokens", strings.Replace(text, code, `"ReadOnlyCode":""`, 1), true},
	} {
		r := new(Record)
		if err := json.Unmarshal([]byte(c.text), r); err != nil {
			t.Fatal(c.name, err)
		}
		b, err := formatOf(a, i).Write(r)
		if stored, _ := a.Payload(i); errors.Is(err, schema.ErrUnsupported) != c.refused || !c.refused && !bytes.Equal(b, stored) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// TestStrippedSource: where somebody has taken the text of a class out, all byte code of the class stands in its place.
func TestStrippedSource(t *testing.T) {
	a := compiled(t)
	i := entry(t, a, "UsherCode.ScriptText")
	if name := a.Entries()[i].File; name != "Classes/UsherCode" {
		t.Errorf("its file is %q", name)
	}
	if err := a.Fill(unreal.Ref(i+1), []byte{}); err != nil {
		t.Fatal(err)
	}
	a = openBytes(t, "Code.u", written(t, a))
	payload, err := a.Payload(i)
	if err != nil {
		t.Fatal(err)
	}
	f := a.Entries()[i].Format.Of(i, payload)
	v, err := f.Read(payload, nil)
	if err != nil {
		t.Fatal(err)
	}
	text, err := v.(*Record).ReadOnlyCode.MarshalText()
	if err != nil {
		t.Fatal(err)
	}
	at := 0
	for _, part := range []string{"State'UsherCode.Idle'\n", "LabelTable Stay:000E Begin:0000\n", "Function'UsherCode.Idle.Tick'\n", "Function'UsherCode.Casts'\n0000  Let\n"} {
		if n := strings.Index(string(text), part); n < 0 {
			t.Errorf("%q is not in %s", part, text)
		} else {
			at++
		}
	}
	if got, err := f.Write(v); err != nil || len(got) != 0 || at != 4 {
		t.Errorf("it is written with %d bytes, %v", len(got), err)
	}
}

// TestListsThatMeet: a state that declares its own class, or itself, is listed once.
func TestListsThatMeet(t *testing.T) {
	a := compiled(t)
	i := entry(t, a, "UsherCode.Idle")
	o, err := a.Object(i)
	if err != nil {
		t.Fatal(err)
	}
	s := o.(*unreal.State)
	s.Children = unreal.Ref(i + 1)
	put(t, a, unreal.Ref(i+1), s)
	list := string(classListing(a.File, entry(t, a, "UsherCode")))
	if n := strings.Count(list, "State'UsherCode.Idle'\n"); n != 1 {
		t.Errorf("%d times", n)
	}
}

// TestWhoseCode: code shows a function or a state, and the script of a class whose text is gone; nothing else has any.
func TestWhoseCode(t *testing.T) {
	a := compiled(t)
	gone := func(path string) *unreal.Object {
		i := entry(t, a, path)
		return &unreal.Object{Context: a.Context(i), Opaque: true}
	}
	for _, c := range []struct {
		path string
		gone bool
		want bool
	}{
		{"UsherCode.Fin", false, true}, {"UsherCode.Idle", false, true}, {"UsherCode", false, false}, {"UsherCode.ScriptText", false, false}, {"UsherCode.ScriptText", true, true},
		{"UsherCode.L", false, false}, {"UsherCode.L", true, false}, {"UsherCode", true, false},
	} {
		i := entry(t, a, c.path)
		o, err := a.Object(i)
		if err != nil {
			t.Fatal(err)
		}
		if c.gone {
			o = gone(c.path)
		}
		if got := a.codeOf(i, o) != nil; got != c.want {
			t.Errorf("%s, its bytes are all that is known %v: %v", c.path, c.gone, got)
		}
	}
}
