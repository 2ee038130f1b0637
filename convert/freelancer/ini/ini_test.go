package ini

import (
	"fmt"
	"strings"
	"testing"

	"github.com/usher-assets/usher/schema"

	write "github.com/usher-assets/usher/write/freelancer"
)

// TestParse: what sections and lines of a text are, on which lines they stand, and what is said of the rest.
func TestParse(t *testing.T) {
	for name, c := range map[string]struct {
		text, want, at string
		said           string
	}{
		"lines":                 {"[A]\nk = v, 1, 2.5\nflag\n\n[B]\r\nx=y\r\n", "[A]|k = v, 1, 2.5|flag||[B]|x = y|", "[[1 2 3] [5 6]]", ""},
		"a mark at the start":   {"\ufeff[A]\nk = v", "[A]|k = v|", "[[1 2]]", ""},
		"blanks":                {" \t[ A ] \n\tk\t=\tv ,  w\t\n", "[A]|k = v, w|", "[[1 2]]", ""},
		"no closing bracket":    {"[A\nk", "[A]|k|", "[[1 2]]", ""},
		"no bracket, a comment": {"[A ; c]\n[B;c\nk", "[A ; c]||[B]|k|", "[[1] [2 3]]", "line 2: a compiled"},
		"comments":              {"; a\n@b\n[A] c\n[B];d\n[C]\t\nk = v;e\nl;f\nm\n", "[A]||[B]||[C]|k = v|l|m|", "[[3] [4] [5 6 7 8]]", "line 1, 2, 3, 4, 6 and 1 more: a compiled"},
		"five comments":         {";\n;\n;\n;\n;\n[A]", "[A]|", "[[6]]", "line 1, 2, 3, 4, 5: a compiled"},
		"before a section":      {"k = v\nl\n\n[A]\nm", "[A]|m|", "[[4 5]]", "line 1, 2: before the first section"},
		"unsigned":              {"[A]\na = 4294967295, -1\nb = 2147483648\nc = -2147483648, 2147483647\n", "[A]|a = -1, -1|b = -2147483648|c = -2147483648, 2147483647|", "[[1 2 3 4]]", "line 2, 3: numbers beyond"},
		"empty values":          {"[A]\na =\nb = ,\nc = , x\nd = x,\ne = ``\nf = ;g\n", "[A]|a|b = ,|c = , x|d = x,|e = ``|f|", "[[1 2 3 4 5 6 7]]", "line 7: a compiled"},
		"between backquotes":    {"[`a;b`]\n`x=y` = `p,q`, `r;s`\n`;c`\n", "[a;b]|`x=y` = `p,q`, `r;s`|`;c`|", "[[1 2 3]]", ""},
		"a sign within":         {"[A]\n'q' = \"p\" = r ; c\n", "[A]|'q' = \"p\" = r|", "[[1 2]]", "line 2: a compiled"},
	} {
		d := new(schema.Diagnostics)
		x, err := Parse(c.text, d)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := strings.ReplaceAll(Text(x), "\r\n", "|"); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
		_, at, err := Read([]byte(strings.ReplaceAll(c.text, "\ufeff", "")))
		if got := fmt.Sprint(at); got != c.at || err != nil {
			t.Errorf("%s: lines %s, %v; want %s", name, got, err, c.at)
		}
		if got := fmt.Sprint(d.All()); c.said == "" && got != "[]" || !strings.Contains(got, c.said) || len(d.All()) > 1 {
			t.Errorf("%s: said %s, want %q", name, got, c.said)
		}
	}
}

// TestParseRefused: what no compiled file can hold is told with its line and its value, all of it at once, and what is right is read.
func TestParseRefused(t *testing.T) {
	for text, want := range map[string]string{
		"[A]\nk = v, `w":           "line 2: k: \"`w\" has no closing",
		"[A]\n\n`k = v":            "line 3: ",
		"[`A":                      "line 1: ",
		"[`A`b]":                   `line 1: "b" stands behind a closing backquote`,
		"[A]\n`k`l = v":            `line 2: "l" stands behind a closing backquote`,
		"[A]\nk = `v`w":            `line 2: k: value 1: "w" stands behind a closing backquote`,
		"[A]\nk = 1, a`b":          "line 2: k: value 2: ",
		"[Ż]":                      `line 1: "Ż" has a character`,
		"[A]\nŻ":                   `line 2: "Ż" has a character`,
		"[A]\nk = 1, Ż":            `line 2: k: value 2: "Ż" has a character`,
		"[A]\n`a\\x00`":            `line 2: "a\x00" has a character`,
		"[A]\nk = v\x00":           `line 2: k: value 1: "v\x00" has a character`,
		"[A]\nk = 99999999999":     "line 2: k: value 1: ",
		"[A]\nk = `w\n[B]\nl = `x": "line 4: l: \"`x\" has no closing",
	} {
		x, err := Parse(text, nil)
		if x != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	x, at, err := Read([]byte("[A]\nk = `w\nl = \xe9\n"))
	if err == nil || len(x.Sections) != 1 || len(x.Sections[0].Entries) != 1 || x.Sections[0].Entries[0].Values[0].Text != "é" || fmt.Sprint(at) != "[[1 3]]" {
		t.Errorf("a text with a fault: %+v on lines %v, %v", x, at, err)
	}
}

// TestReadCompiled: a compiled file has no lines.
func TestReadCompiled(t *testing.T) {
	x, err := Parse("[A]\nk = v\n", nil)
	if err != nil {
		t.Fatal(err)
	}
	b, err := write.BINI(x)
	if err != nil {
		t.Fatal(err)
	}
	again, at, err := Read(b)
	if err != nil || at != nil || Text(again) != "[A]\r\nk = v\r\n" {
		t.Errorf("%+v, lines %v, %v", again, at, err)
	}
	if _, _, err := Read(b[:len(b)-1]); err == nil {
		t.Error("a compiled file that is cut off is read")
	}
}
