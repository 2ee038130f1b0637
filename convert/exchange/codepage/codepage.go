package codepage

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"

	"github.com/usher-assets/usher/schema"
)

// Default is the name of the page that texts are in unless somebody says otherwise.
const Default = prefix + "1252"

const prefix = "windows-"

// Page is a code page. A nil Page is the default one.
type Page struct {
	name  string
	table func() *table
}

// pages are those of Windows that extend ASCII by single bytes, or by pairs of which the first is none of ASCII.
var pages = append(append([]*Page{newPage("874", charmap.Windows874)}, pairs...),
	newPage("1250", charmap.Windows1250), newPage("1251", charmap.Windows1251), newPage("1252", charmap.Windows1252),
	newPage("1253", charmap.Windows1253), newPage("1254", charmap.Windows1254), newPage("1255", charmap.Windows1255),
	newPage("1256", charmap.Windows1256), newPage("1257", charmap.Windows1257), newPage("1258", charmap.Windows1258),
)

func newPage(number string, e encoding.Encoding) *Page {
	return &Page{prefix + number, sync.OnceValue(func() *table { return newTable(e) })}
}

// Names returns the names of all pages.
func Names() (names []string) {
	for _, p := range pages {
		names = append(names, p.name)
	}
	return names
}

// Find returns the page that somebody calls "windows-1251", "cp1251" or "1251"; nil for no name.
func Find(name string) (*Page, error) {
	if name == "" {
		return nil, nil
	}
	number := strings.ToLower(name)
	for _, start := range []string{prefix, "cp"} {
		number = strings.TrimPrefix(number, start)
	}
	i := slices.IndexFunc(pages, func(p *Page) bool { return p.name == prefix+number })
	if i < 0 {
		return nil, fmt.Errorf("there is no code page %q: they are %s", name, strings.Join(Names(), ", "))
	}
	return pages[i], nil
}

// Name returns the name of the page.
func (p *Page) Name() string {
	if p == nil {
		return Default
	}
	return p.name
}

// own reports whether the page is the one that readers take every text for.
func (p *Page) own() bool { return p.Name() == Default }

// Show returns a text of a reader as people read it.
func (p *Page) Show(text string) string {
	if p.own() || ascii(text) {
		return text
	}
	b, _ := schema.EncodeWindows1252(text)
	return p.Decode(b)
}

// Take is the reverse of Show. It fails for a character that the page lacks.
func (p *Page) Take(shown string) (string, error) {
	if ascii(shown) {
		return shown, nil
	}
	b, err := p.Encode(shown)
	if err != nil {
		return "", err
	}
	return schema.DecodeWindows1252(b), nil
}

// Decode returns the text of bytes in the page.
func (p *Page) Decode(b []byte) string {
	if p.own() {
		return schema.DecodeWindows1252(b)
	}
	return p.table().decode(b)
}

// Encode returns the bytes of a text in the page. It fails for a character that the page lacks, and where a byte that means
// nothing alone would mean something together with what follows it.
func (p *Page) Encode(s string) ([]byte, error) {
	if p.own() {
		b, ok := schema.EncodeWindows1252(s)
		if !ok {
			return nil, p.lacking(s, func(r rune) bool { _, ok := schema.EncodeWindows1252(string(r)); return ok })
		}
		return b, nil
	}
	t := p.table()
	b := make([]byte, 0, len(s))
	for _, r := range s {
		code, ok := t.encode(r)
		if !ok {
			return nil, p.lacking(s, func(r rune) bool { _, ok := t.encode(r); return ok })
		}
		b = append(b, code...)
	}
	if t.decode(b) != s {
		return nil, fmt.Errorf("a private character (U+F780 to U+F7FF) stands for half a character of %s, and what follows it completes that", p.name)
	}
	return b, nil
}

// lacking returns the error for the first character that a page does not have.
func (p *Page) lacking(s string, has func(rune) bool) error {
	i := strings.IndexFunc(s, func(r rune) bool { return !has(r) })
	r, _ := utf8.DecodeRuneInString(s[i:])
	place := ""
	if strings.Contains(s, "\n") {
		place = fmt.Sprintf("line %d: ", 1+strings.Count(s[:i], "\n"))
	}
	return fmt.Errorf("%s%s lacks %q (U+%04X)", place, p.Name(), r, r)
}

// Len returns how many bytes a text of a reader has.
func Len(text string) int { return utf8.RuneCountInString(text) }

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
