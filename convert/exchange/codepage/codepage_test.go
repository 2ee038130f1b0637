package codepage_test

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/usher-assets/usher/convert/exchange/codepage"
	"github.com/usher-assets/usher/schema"
)

// TestEveryByte: whatever the bytes are, the page shows them as text, and takes that back as the same bytes. These are all
// single bytes, all pairs, and all pairs between letters.
func TestEveryByte(t *testing.T) {
	cases := 0
	for _, name := range codepage.Names() {
		p := page(t, name)
		check := func(b ...byte) {
			cases++
			text := p.Decode(b)
			back, err := p.Encode(text)
			if err != nil || !bytes.Equal(back, b) || !utf8.ValidString(text) {
				t.Fatalf("%s: % x is shown as %q, and taken back as % x (%v)", name, b, text, back, err)
			}
			shown := p.Show(schema.DecodeWindows1252(b))
			if taken, err := p.Take(shown); err != nil || shown != text || taken != schema.DecodeWindows1252(b) {
				t.Fatalf("%s: % x is shown as %q, and taken as %q (%v)", name, b, shown, taken, err)
			}
		}
		for i := range 0x100 {
			check(byte(i))
			for k := range 0x100 {
				check(byte(i), byte(k))
				if i >= 0x80 || k >= 0x80 {
					check('a', byte(i), byte(k), '`')
				}
			}
		}
	}
	t.Logf("%d texts in %d pages", cases, len(codepage.Names()))
}

// TestLetters: the pages are those of Windows.
func TestLetters(t *testing.T) {
	for _, c := range []struct{ page, text, bytes string }{
		{"windows-874", "กข", "\xA1\xA2"},
		{"cp932", "日本ｱ", "\x93\xFA\x96\x7B\xB1"},
		{"932", "表", "\x95\\"},
		{"936", "中", "\xD6\xD0"},
		{"949", "한", "\xC7\xD1"},
		{"950", "中", "\xA4\xA4"},
		{"CP1250", "Łódź", "\xA3\xF3d\x9F"},
		{"Windows-1251", "Привет", "\xCF\xF0\xE8\xE2\xE5\xF2"},
		{"1252", "é€", "\xE9\x80"},
		{"", "é€", "\xE9\x80"},
		{"1253", "Ω", "\xD9"},
		{"1254", "ğ", "\xF0"},
		{"1255", "א", "\xE0"},
		{"1256", "ا", "\xC7"},
		{"1257", "ž", "\xFE"},
		{"1258", "đ", "\xF0"},
		{"1251", "\uF798", "\x98"},
		{"1253", "\uF7D2a", "\xD2a"},
		{"932", "\uF781", "\x81"},
	} {
		p := page(t, c.page)
		if got, err := p.Encode(c.text); err != nil || string(got) != c.bytes {
			t.Errorf("%s: %q is % x (%v), want % x", c.page, c.text, got, err, c.bytes)
		}
		if got := p.Decode([]byte(c.bytes)); got != c.text {
			t.Errorf("%s: % x is %q, want %q", c.page, c.bytes, got, c.text)
		}
	}
}

// TestLacking: what a page cannot hold is named with its line.
func TestLacking(t *testing.T) {
	for _, c := range []struct{ page, text, want string }{
		{"1251", "aé", `windows-1251 lacks 'é' (U+00E9)`},
		{"1251", "a\nб\né", `line 3: windows-1251 lacks 'é' (U+00E9)`},
		{"", "a\r\nб", `line 2: windows-1252 lacks 'б' (U+0431)`},
		{"932", "é", `windows-932 lacks 'é'`},
		{"1251", "\xff", `lacks '�'`},
		{"932", "\uF781A", "private character"},
		{"1250", "\U0001F600", "(U+1F600)"},
		{"1252", "\uF781", "(U+F781)"},
		{"1251", "\uF77F", "(U+F77F)"},
		{"1251", "\uF800", "(U+F800)"},
	} {
		if got, err := page(t, c.page).Take(c.text); err == nil || !strings.Contains(err.Error(), c.want) || strings.HasPrefix(err.Error(), "line ") != strings.Contains(c.text, "\n") {
			t.Errorf("%s takes %q as %q (%v), want an error with %q", c.page, c.text, got, err, c.want)
		}
	}
	if got := page(t, "1252").Show("é Ж"); got != "é Ж" {
		t.Errorf("a text that is shown as it is is %q", got)
	}
	if p, err := codepage.Find("koi8-r"); err == nil || !strings.Contains(err.Error(), "windows-1251") {
		t.Errorf("koi8-r is %v (%v)", p, err)
	}
}

// FuzzPage: all bytes are shown and taken back, and all text that is taken is shown as it was.
func FuzzPage(f *testing.F) {
	for i, seed := range []string{"abc", "\x81", "\x81\x40\x81", "\xFF\xFE\x00", "\x87\x90\x81\xE0", "\xEF\x9E\x81A", "Привет"} {
		f.Add(i, []byte(seed))
	}
	f.Fuzz(func(t *testing.T, i int, b []byte) {
		names := codepage.Names()
		p := page(t, names[uint(i)%uint(len(names))])
		if back, err := p.Encode(p.Decode(b)); err != nil || !bytes.Equal(back, b) {
			t.Fatalf("%s: % x came back as % x (%v)", p.Name(), b, back, err)
		}
		if taken, err := p.Encode(string(b)); err == nil && p.Decode(taken) != string(b) {
			t.Fatalf("%s: %q is taken, and shown as %q", p.Name(), b, p.Decode(taken))
		}
	})
}

func page(t *testing.T, name string) *codepage.Page {
	t.Helper()
	p, err := codepage.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	return p
}
