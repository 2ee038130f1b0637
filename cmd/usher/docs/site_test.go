package docs

import (
	"context"
	"encoding/hex"
	"fmt"
	"html"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/work/explain"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/testdata/corpus"
)

// letters are the letters and digits of a text: what neither marks of Markdown nor tags are.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, s)
}

// Of Markdown: what is no letter of the text, and what the anchors belong to.
var (
	markOfItem = regexp.MustCompile("(?m)^ *\\d+\\. |^```.*$|<!--.*-->")
	tag        = regexp.MustCompile(`<[^>]*>`)
	heading    = regexp.MustCompile(`^#{1,6} `)
	dashes     = regexp.MustCompile(`^\|[-: |]+\|$`)
)

// TestReferencesAreWhole: as HTML every reference has each letter and digit of its Markdown, in the same order, no mark is
// left over, and every heading and every row of a table can be linked to.
func TestReferencesAreWhole(t *testing.T) {
	paths, err := fs.Glob(schema.References, "*/*.md")
	if err != nil || len(paths) < 4 {
		t.Fatalf("%d references, %v", len(paths), err)
	}
	code := regexp.MustCompile(`(?s)<(pre|code)>.*?</(pre|code)>`)
	for _, p := range paths {
		b, err := schema.References.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		d := parse(string(b))
		want, got := letters(markOfItem.ReplaceAllString(string(b), "")), letters(html.UnescapeString(tag.ReplaceAllString(d.Body, "")))
		if got != want {
			n := 0
			for n < min(len(got), len(want)) && got[n] == want[n] {
				n++
			}
			t.Errorf("%s: from %.60q on it says %.60q", p, want[n:], got[n:])
		}
		if s := regexp.MustCompile("\\*\\*[^).]|`").FindString(tag.ReplaceAllString(code.ReplaceAllString(d.Body, ""), "")); s != "" {
			t.Errorf("%s: a mark %q is left over", p, s)
		}
		headings, rows, fenced, lines := 0, 0, false, strings.Split(string(b), "\n")
		for i, l := range lines {
			switch {
			case strings.HasPrefix(l, "```"):
				fenced = !fenced
			case fenced:
			case heading.MatchString(l):
				headings++
			case strings.HasPrefix(l, "|") && i > 0 && strings.HasPrefix(lines[i-1], "|") && !dashes.MatchString(l):
				rows++
			}
		}
		if len(d.Sections) != headings || strings.Count(d.Body, "<tr id=") != rows || headings == 0 {
			t.Errorf("%s: %d sections and %d rows, want %d and %d", p, len(d.Sections), strings.Count(d.Body, "<tr id="), headings, rows)
		}
	}
}

// TestAnchors: what can be linked to, and what links there.
func TestAnchors(t *testing.T) {
	const link = ` <a class="anchor" href="#%[1]s" aria-label="link to this place">#</a>`
	for _, c := range []struct{ text, id, want string }{
		{"§1.2, `§3` and §4.", "", `<p><a href="#1.2">§1.2</a>, <code>§3</code> and <a href="#4">§4</a>.</p>`},
		{"§ 5", "", "<p>§ 5</p>"},
		{"# 2.1 A `b`", "2.1", `<h1 id="%[1]s">2.1 A <code>b</code>` + link + `</h1>`},
		{"## A \\| b_c", "a-b-c", `<h2 id="%[1]s">A | b_c` + link + `</h2>`},
		{"## §", "x", `<h2 id="%[1]s">§` + link + `</h2>`},
		{"x<0 and y>0", "", "<p>x&lt;0 and y&gt;0</p>"},
		{"Et_, Bt_, *so*", "", "<p>Et_, Bt_, <em>so</em></p>"},
		{"[K] (7 bytes) and [a](b.md)", "", `<p>[K] (7 bytes) and <a href="b.md">a</a></p>`},
	} {
		want := c.want
		if c.id != "" {
			want = fmt.Sprintf(want, c.id)
		}
		if got := strings.TrimSpace(parse(c.text).Body); got != want {
			t.Errorf("%q: %s, want %s", c.text, got, want)
		}
	}
	d := parse("# T\n## 2. A\n| type | field |\n|---|---|\n| u8 | Two Words |\n| u8 | a\\|b |\n## 2.1 B\n| field |\n|---|\n| Two Words |\n| Once |\n")
	for _, c := range []struct {
		field    string
		sections []string
		want     string
	}{{"two words", []string{"2.1"}, "2.1.two-words"}, {"TwoWords", nil, ""}, {"once", nil, "2.1.once"}, {"once", []string{"9"}, ""}, {"ab", nil, "2.a-b"}, {"none", nil, ""}, {"two words", []string{"2"}, "2.two-words"}} {
		if got := d.field(c.field, c.sections); got != c.want {
			t.Errorf("%s in %v: %q, want %q", c.field, c.sections, got, c.want)
		}
	}
}

// testdata are the files that the site takes its examples from.
func testdata(t *testing.T) (files []string) {
	for _, family := range []string{"freelancer", "ultimate3d", "unreal", "ultima9"} {
		found, err := filepath.Glob(corpus.Testdata(t, family, "*"))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	return files
}

// TestSite: each format has a page, no link leads to what is not there, nothing is asked of anybody, and no name is given twice.
func TestSite(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "site")
	made, err := (&Site{Examples: testdata(t)}).Write(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if made.Formats != len(formats.All) || made.Examples < made.Formats*9/10 {
		t.Errorf("%+v of %d formats", made, len(formats.All))
	}
	pages, names := map[string]string{}, map[string]bool{}
	descriptions, placed := 0, []string(nil)
	list, _ := os.ReadDir(dir)
	for _, e := range list {
		b, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		names[e.Name()] = true
		switch filepath.Ext(e.Name()) {
		case ".json":
			for _, m := range regexp.MustCompile(`"([a-z0-9-]+\.html[^"]*)"`).FindAllStringSubmatch(string(b), -1) {
				placed = append(placed, m[1])
			}
			continue
		case ".ksy", ".hexpat":
			descriptions++
			continue
		}
		pages[e.Name()] = string(b)
		for _, m := range regexp.MustCompile(`\bid="([^"]*)"`).FindAllStringSubmatch(string(b), -1) {
			name := e.Name() + "#" + html.UnescapeString(m[1])
			if names[name] {
				t.Errorf("%s is there twice", name)
			}
			names[name] = true
		}
	}
	if len(pages) != 1+made.References+made.Formats || descriptions != made.Descriptions || descriptions < 120 {
		t.Errorf("%d pages, %d descriptions", len(pages), descriptions)
	}
	for _, to := range placed {
		if !names[to] {
			t.Errorf("a field is said to be at %s, which is not there", to)
		}
	}
	if len(placed) < 1000 {
		t.Errorf("%d places of fields", len(placed))
	}
	n, fields := 0, 0
	for name, page := range pages {
		for _, m := range regexp.MustCompile(`\b(?:href|src)="([^"]*)"`).FindAllStringSubmatch(page, -1) {
			n++
			to := html.UnescapeString(m[1])
			if strings.HasPrefix(to, "#") {
				to = name + to
			} else if strings.HasPrefix(name, "format-") && strings.Contains(to, "#") {
				fields++
			}
			if !names[to] {
				t.Errorf("%s leads to %s, which is not there", name, to)
			}
		}
		list := map[string]bool{}
		for _, m := range regexp.MustCompile(`<li><a href="[^"]*">(.*?)</a>`).FindAllStringSubmatch(page, -1) {
			if strings.HasPrefix(name, "format-") && list[m[1]] {
				t.Errorf("%s names %q twice", name, m[1])
			}
			list[m[1]] = true
		}
		if strings.Contains(page, "<script") || strings.Contains(page, "url(") {
			t.Errorf("%s has a script, or asks for something", name)
		}
	}
	if n < 2000 || fields < 300 {
		t.Errorf("%d links were followed, %d of them to fields", n, fields)
	}
	if _, err := (&Site{}).Write(context.Background(), dir); err == nil {
		t.Error("a site is overwritten without being asked to")
	}
}

// TestSharedBytes: bytes that two fields use have one anchor.
func TestSharedBytes(t *testing.T) {
	span := func(at int64, field string) explain.Span {
		return explain.Span{Offset: at, Size: 2, Field: field, Layout: "u16", Count: 1}
	}
	var ids []string
	for _, r := range rows(&explain.Map{Spans: []explain.Span{span(0, "a"), span(0, "b"), span(2, "c")}}, func(string) string { return "" }) {
		ids = append(ids, r.Field+r.ID)
	}
	if got := strings.Join(ids, " "); got != "ax000000 b cx000002" {
		t.Error(got)
	}
}

// TestExamples: what an example shows of a file are its bytes, at the offsets that it says.
func TestExamples(t *testing.T) {
	found, err := candidates(context.Background(), new(engine.Loader), testdata(t))
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for name, c := range found {
		x, err := example(new(engine.Loader), c, func(string) string { return "" })
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		b, err := os.ReadFile(c.src.Path)
		if err != nil {
			t.Fatal(err)
		}
		if x.Unpacked {
			continue
		}
		for _, r := range x.Rows {
			at, err := strconv.ParseInt(r.Offset, 16, 64)
			digits, _, _ := strings.Cut(r.Hex, "\n…")
			shown, err2 := hex.DecodeString(strings.Join(strings.Fields(digits), ""))
			if err != nil || err2 != nil || at+int64(len(shown)) > int64(len(b)) || string(b[at:at+int64(len(shown))]) != string(shown) {
				t.Errorf("%s: %s at %s shows %q", name, fmt.Sprint(c.src), r.Offset, r.Hex)
				break
			}
			rows++
		}
	}
	if rows < 1000 {
		t.Errorf("%d rows", rows)
	}
}
