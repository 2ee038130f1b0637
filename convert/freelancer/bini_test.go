package freelancer_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	convert "github.com/usher-assets/usher/convert/freelancer"
	"github.com/usher-assets/usher/convert/freelancer/ini"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"
	"github.com/usher-assets/usher/testdata/corpus"

	read "github.com/usher-assets/usher/read/freelancer"
	write "github.com/usher-assets/usher/write/freelancer"
)

// heronText has everything that the text of an INI may have.
const heronText = "[Ship]\r\n" +
	"nickname = heron\r\n" +
	"mass = 100.0\r\n" +
	"hold_size = 25\r\n" +
	"LODranges = 0, 80, 1e+36\r\n" +
	"hp_type = hp_gun, HpWeapon01,\r\n" +
	"MarketGood = , -0.0, -2147483648\r\n" +
	"keymap = \"N\"\r\n" +
	"name = Farmers' area = caf\u00e9 \u20ac\r\n"

// compiled is a compiled INI as the game's compiler makes it.
func compiled(t *testing.T) []byte {
	return compile(t, heronText+"separable\r\nodd = `1.5`, `a, b; c`, ` edge`, `a\\`b\\\\c\\x0A`, float`7FC00001`, float`FF800000`\r\nempty = ``\r\n\r\n[`a]b`]\r\n`x=y` = 1\r\n\r\n[ship]\r\nNickname = heron\r\n")
}

func compile(t *testing.T, text string) []byte {
	t.Helper()
	x, err := ini.Parse(text, nil)
	if err != nil {
		t.Fatal(err)
	}
	b, err := write.BINI(x)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// tails is compiled by another tool: a text that another one ends with lies in that, a string comes twice, another is
// never used, and the last one has no zero.
func tails(t *testing.T) []byte {
	x := &freelancer.BINI{Sections: []freelancer.BINISection{{Name: "Ship", Entries: []freelancer.BINIEntry{
		{Name: "nickname", Values: []freelancer.BINIValue{{Type: freelancer.BINIText, Text: "big_ship"}}},
		{Name: "name", Values: []freelancer.BINIValue{{Type: freelancer.BINIText, Text: "ship"}, {Type: freelancer.BINIText, Text: "ship"}}},
	}}}}
	x.Strings = &freelancer.BINIStrings{Bytes: []byte("unused\x00nickname\x00big_ship\x00Ship\x00ship\x00end"), Offsets: []uint32{25, 7, 16, 11, 20, 30}}
	b, err := write.BINI(x)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestBINIText holds the text of values against what is stored.
func TestBINIText(t *testing.T) {
	for _, c := range []struct {
		text string // of a value
		want freelancer.BINIValue
		back string // what is written, where that is another text
	}{
		{"0", freelancer.BINIValue{Type: freelancer.BINIInt}, ""},
		{"+7", freelancer.BINIValue{Type: freelancer.BINIInt, Bits: 7}, "7"},
		{"-1", freelancer.BINIValue{Type: freelancer.BINIInt, Bits: 0xFFFFFFFF}, ""},
		{"4294967295", freelancer.BINIValue{Type: freelancer.BINIInt, Bits: 0xFFFFFFFF}, "-1"},
		{"007", freelancer.BINIValue{Type: freelancer.BINIInt, Bits: 7}, "7"},
		{"1.0", freelancer.BINIValue{Type: freelancer.BINIFloat, Bits: 0x3F800000}, ""},
		{"1.", freelancer.BINIValue{Type: freelancer.BINIFloat, Bits: 0x3F800000}, "1.0"},
		{".5", freelancer.BINIValue{Type: freelancer.BINIFloat, Bits: 0x3F000000}, "0.5"},
		{"-0.0", freelancer.BINIValue{Type: freelancer.BINIFloat, Bits: 0x80000000}, ""},
		{"0.1", freelancer.BINIValue{Type: freelancer.BINIFloat, Bits: 0x3DCCCCCD}, ""},
		{"1E2", freelancer.BINIValue{Type: freelancer.BINIFloat, Bits: 0x42C80000}, "100.0"},
		{"1e+36", freelancer.BINIValue{Type: freelancer.BINIFloat, Bits: 0x7B4097CE}, ""},
		{"1e-45", freelancer.BINIValue{Type: freelancer.BINIFloat, Bits: 1}, ""},
		{"16777216.0", freelancer.BINIValue{Type: freelancer.BINIFloat, Bits: 0x4B800000}, ""},
		{"float`7FC00001`", freelancer.BINIValue{Type: freelancer.BINIFloat, Bits: 0x7FC00001}, ""},
		{"float`7F800000`", freelancer.BINIValue{Type: freelancer.BINIFloat, Bits: 0x7F800000}, ""},
		{"inf", freelancer.BINIValue{Type: freelancer.BINIText, Text: "inf"}, ""},
		{"", freelancer.BINIValue{Type: freelancer.BINIText}, ""},
		{"true", freelancer.BINIValue{Type: freelancer.BINIText, Text: "true"}, ""},
		{"\"N\"", freelancer.BINIValue{Type: freelancer.BINIText, Text: "\"N\""}, ""},
		{"30_sec", freelancer.BINIValue{Type: freelancer.BINIText, Text: "30_sec"}, ""},
		{"0x10", freelancer.BINIValue{Type: freelancer.BINIText, Text: "0x10"}, ""},
		{"1.0f", freelancer.BINIValue{Type: freelancer.BINIText, Text: "1.0f"}, ""},
		{"+-1", freelancer.BINIValue{Type: freelancer.BINIText, Text: "+-1"}, ""},
		{".", freelancer.BINIValue{Type: freelancer.BINIText, Text: "."}, ""},
		{"1.2.3", freelancer.BINIValue{Type: freelancer.BINIText, Text: "1.2.3"}, ""},
		{"1e", freelancer.BINIValue{Type: freelancer.BINIText, Text: "1e"}, ""},
		{"`1`", freelancer.BINIValue{Type: freelancer.BINIText, Text: "1"}, ""},
		{"`1e5`", freelancer.BINIValue{Type: freelancer.BINIText, Text: "1e5"}, ""},
		{"`99999999999`", freelancer.BINIValue{Type: freelancer.BINIText, Text: "99999999999"}, ""},
		{"`a,b`", freelancer.BINIValue{Type: freelancer.BINIText, Text: "a,b"}, ""},
		{"`;`", freelancer.BINIValue{Type: freelancer.BINIText, Text: ";"}, ""},
		{"` a `", freelancer.BINIValue{Type: freelancer.BINIText, Text: " a "}, ""},
		{"`a\\`b\\\\`", freelancer.BINIValue{Type: freelancer.BINIText, Text: "a`b\\"}, ""},
		{"`\\x0D\\x0A\\x09`", freelancer.BINIValue{Type: freelancer.BINIText, Text: "\r\n\t"}, ""},
		{"`plain`", freelancer.BINIValue{Type: freelancer.BINIText, Text: "plain"}, "plain"},
		{"a\\b.3db", freelancer.BINIValue{Type: freelancer.BINIText, Text: "a\\b.3db"}, ""},
	} {
		got, err := freelancer.ParseBINIValue(c.text)
		if err != nil || got != c.want {
			t.Errorf("%s is %+v (%v), want %+v", c.text, got, err, c.want)
		}
		want := c.back
		if want == "" {
			want = c.text
		}
		if back := got.String(); back != want {
			t.Errorf("%s is written as %s, want %s", c.text, back, want)
		}
	}
}

// TestBINILines holds what is read of lines: as the game does it.
func TestBINILines(t *testing.T) {
	for _, c := range []struct{ text, want, told string }{
		{"[A]\nk", "[A]\r\nk\r\n", ""},
		{"[A]\nk =", "[A]\r\nk\r\n", ""},
		{"[A]\nk = ``", "[A]\r\nk = ``\r\n", ""},
		{"[A]\nk = a,", "[A]\r\nk = a,\r\n", ""},
		{"[A]\nk = ,", "[A]\r\nk = ,\r\n", ""},
		{"[A]\nk = ,,1", "[A]\r\nk = , , 1\r\n", ""},
		{" \t[ A ]\r\n\tk=a =b,\tc \r\n", "[A]\r\nk = a =b, c\r\n", ""},
		{"[A\nk", "[A]\r\nk\r\n", ""},
		{"[A;b]\nk", "[A;b]\r\nk\r\n", ""},
		{"[A ; no bracket\nk", "[A]\r\nk\r\n", "comments"},
		{"[A] ; c", "[A]\r\n", "comments"},
		{"[A] c", "[A]\r\n", "comments"},
		{"; c\n[A]\n@ c\nk = 1;c\nn;c", "[A]\r\nk = 1\r\nn\r\n", "comments"},
		{"title\n[A]", "[A]\r\n", "no-section"},
		{"[A]\nk = 4000000000", "[A]\r\nk = -294967296\r\n", "unsigned"},
		{"[A]\n`;k` = 1", "[A]\r\n`;k` = 1\r\n", ""},
		{"[A]\n`@k`", "[A]\r\n`@k`\r\n", ""},
		{"[A]\n`[k` = `a;b` , c", "[A]\r\n`[k` = `a;b`, c\r\n", ""},
		{"[``]\n`` = 1", "[``]\r\n`` = 1\r\n", ""},
		{"\ufeff[A]", "[A]\r\n", ""},
		{"[A]\n\n\n[A]", "[A]\r\n\r\n[A]\r\n", ""},
		{"", "", ""},
	} {
		var d schema.Diagnostics
		x, err := ini.Parse(c.text, &d)
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		if got := ini.Text(x); got != c.want {
			t.Errorf("%q became %q, want %q", c.text, got, c.want)
		}
		if c.told != "" && !d.Has(c.told) || c.told == "" && len(d.All()) > 0 {
			t.Errorf("%q: told %v, want %q", c.text, d.All(), c.told)
		}
	}
}

// TestBINIRefused holds what is wrong with a text: the line, and what was expected.
func TestBINIRefused(t *testing.T) {
	many := "[A]\nk = 1" + strings.Repeat(",1", 255)
	for _, c := range []struct{ text, want string }{
		{"[A]\nk = `a", "line 2"},
		{"[A]\nk = `a` b", "line 2: k: value 1"},
		{"[A]\nk = 1, a`b", "value 2"},
		{"[A]\nk = `\\q`", "backslash"},
		{"[A]\nk = `\\x", "backslash"},
		{"[A]\nk = float`12`", "eight hexadecimal digits"},
		{"[A]\nk = 9999999999", "32 bits"},
		{"[A]\nk = 1e99", "more than a float"},
		{"[A]\nk = \u6f22", "Windows-1252"},
		{"[A]\nk\x00 = 1", "Windows-1252"},
		{"[A]\n\n`k", "line 3"},
		{"[`A", "line 1"},
		{"[A]\nk = 1e99\nn = 1e99", "line 3"}, // each fault has its line
		{many, "at most 255 fit"},
	} {
		x, err := ini.Parse(c.text, nil)
		if err == nil {
			_, err = write.BINI(x)
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.40q: %v, want %q", c.text, err, c.want)
		}
	}
}

// TestBINIThereAndBack takes a compiled file to text and back. Where another tool than the game's made it, what the text cannot
// say rides along, and an edit leaves all strings where they are.
func TestBINIThereAndBack(t *testing.T) {
	edit := func(s string) string { return strings.Replace(s, "big_ship", "big_ship, new_ship", 1) }
	for name, b := range map[string][]byte{"compiled": compiled(t), "tails": tails(t), "empty": compile(t, "")} {
		x, err := read.BINI(b, nil)
		if err != nil {
			t.Fatal(name, err)
		}
		a, err := convert.BINI.Lift(x, nil)
		if err != nil {
			t.Fatal(name, err)
		}
		if alone := a.Native == nil; alone != (name != "tails") {
			t.Errorf("%s: the text alone is enough: %v", name, alone)
		}
		back, err := convert.BINI.Lower(a, nil)
		if err != nil {
			t.Fatal(name, err)
		}
		again, err := write.BINI(back)
		if err != nil {
			t.Fatal(name, err)
		}
		corpus.SameBytes(t, name, again, b)
		a.Body = edit(a.Body)
		if back, err = convert.BINI.Lower(a, nil); err != nil {
			t.Fatal(name, err)
		}
		edited, err := write.BINI(back)
		if err != nil {
			t.Fatal(name, err)
		}
		if y, err := read.BINI(edited, nil); err != nil || ini.Text(y) != a.Body {
			t.Errorf("%s: the edit came back as %q (%v)", name, ini.Text(y), err)
		}
		if stored := []byte("unused\x00nickname\x00big_ship\x00Ship\x00ship\x00end\x00new_ship\x00"); name == "tails" && !bytes.HasSuffix(edited, stored) {
			t.Errorf("%s: the strings have moved: %q", name, edited)
		}
	}
}

// TestBINIValues takes every type with every pattern of bits that is special through text, and all texts of two letters of those
// that mean something.
func TestBINIValues(t *testing.T) {
	var list []freelancer.BINIValue
	for exponent := range uint32(256) {
		for _, mantissa := range []uint32{0, 1, 2, 0x400000, 0x7FFFFF, 0x2AAAAA} {
			for _, sign := range []uint32{0, 1 << 31} {
				bits := sign | exponent<<23 | mantissa
				list = append(list, freelancer.BINIValue{Type: freelancer.BINIFloat, Bits: bits}, freelancer.BINIValue{Type: freelancer.BINIInt, Bits: bits})
			}
		}
	}
	letters := []string{"", "a", "1", "0", ".", "-", "+", "e", ",", ";", "`", "\\", "\"", "=", "[", "]", "@", " ", "\t", "\n", "\r", "\x01", "\u00a0", "\u20ac", "float`"}
	var names []string
	for _, a := range letters {
		for _, b := range letters {
			for _, c := range letters {
				names = append(names, a+b+c)
				list = append(list, freelancer.BINIValue{Type: freelancer.BINIText, Text: a + b + c})
			}
		}
	}
	for _, v := range list {
		for _, values := range [][]freelancer.BINIValue{{v}, {v, v}, {{Type: freelancer.BINIInt}, v}} {
			held(t, &freelancer.BINI{Sections: []freelancer.BINISection{{Name: "A", Entries: []freelancer.BINIEntry{{Name: "k", Values: values}}}}})
		}
	}
	for _, name := range names {
		held(t, &freelancer.BINI{Sections: []freelancer.BINISection{{Name: name, Entries: []freelancer.BINIEntry{{Name: name}, {Name: name, Values: []freelancer.BINIValue{{Type: freelancer.BINIInt}}}}}}})
	}
	t.Logf("%d values, %d names", 3*len(list), len(names))
}

// held takes a file through text: nothing changes.
func held(t *testing.T, x *freelancer.BINI) {
	t.Helper()
	var d schema.Diagnostics
	text := ini.Text(x)
	y, err := ini.Parse(text, &d)
	if err != nil || len(d.All()) > 0 {
		t.Errorf("%q: %v, %v", text, err, d.All())
		return
	}
	a, err := write.BINI(x)
	if err != nil {
		t.Fatal(err)
	}
	b, err := write.BINI(y)
	if err != nil || !bytes.Equal(a, b) {
		t.Errorf("%q came back as %q (%v)", text, ini.Text(y), err)
	}
}

// FuzzBINIText takes any text: it is refused, or what is made of it says the same again.
func FuzzBINIText(f *testing.F) {
	f.Add(heronText)
	f.Add("[A\n k = `a\\x0A`, 1e5;c\n@\n[`]`]")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 64<<10 {
			return
		}
		x, err := convert.BINI.Lower(&asset.Text{Body: text}, new(format.Env))
		if err != nil {
			return
		}
		b, err := write.BINI(x)
		if err != nil {
			if schema.Class(err) == nil {
				t.Errorf("%v has no class", err)
			}
			return
		}
		y, err := read.BINI(b, nil)
		if err != nil || y.Strings != nil {
			t.Fatalf("written, but not read as the game's compiler has it: %v", err)
		}
		if ini.Text(x) != ini.Text(y) {
			t.Errorf("%q became %q", ini.Text(x), ini.Text(y))
		}
	})
}
