package docs

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	tables "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// section is a heading of a reference.
type section struct {
	ID, Title string
	Level     int
}

// document is a reference as HTML.
type document struct {
	Title    string
	Sections []section
	Fields   map[string][]string // anchors of fields, by the name in lower-case letters and digits
	Body     string

	source []byte
	taken  map[string]bool // anchors
	at     string          // anchor of the present section
	named  int             // the column that names the fields of the present table
}

// markdown reads the references: CommonMark with tables.
var markdown = goldmark.New(goldmark.WithExtensions(extension.Table))

// parse makes a document of Markdown.
func parse(source string) (*document, error) {
	d := &document{Fields: map[string][]string{}, taken: map[string]bool{}, source: []byte(source)}
	root := markdown.Parser().Parse(text.NewReader(d.source))
	if err := ast.Walk(root, d.visit); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err := markdown.Renderer().Render(&out, d.source, root)
	d.Body = out.String()
	return d, err
}

// visit gives headings and rows of tables anchors, and makes links of numbers of sections.
func (d *document) visit(n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	switch n := n.(type) {
	case *ast.Heading:
		d.heading(n)
	case *tables.TableHeader:
		d.head(n)
	case *tables.TableRow:
		d.row(n)
	case *ast.Text:
		d.refer(n)
	}
	return ast.WalkContinue, nil
}

// number is the number that a heading begins with.
var number = regexp.MustCompile(`^(\d+(?:\.\d+)*)\.? `)

func (d *document) heading(h *ast.Heading) {
	title := d.plain(h)
	if d.Title == "" {
		d.Title = title
	}
	id := slug(title)
	if n := number.FindStringSubmatch(title); n != nil {
		id = n[1]
	}
	d.at = d.anchor(id)
	d.Sections = append(d.Sections, section{d.at, title, h.Level})
	mark(h, h, d.at)
}

// head finds out which column of a table names its fields.
func (d *document) head(h *tables.TableHeader) {
	d.named = 0
	for c, i := h.FirstChild(), 0; c != nil; c, i = c.NextSibling(), i+1 {
		if name := strings.ToLower(d.plain(c)); name == "field" || name == "name" {
			d.named = i
			return
		}
	}
}

// row lets a row be linked to, by the name of the field in it.
func (d *document) row(r *tables.TableRow) {
	cell := r.FirstChild()
	for i := 0; i < d.named && cell.NextSibling() != nil; i++ {
		cell = cell.NextSibling()
	}
	name := d.plain(cell)
	id := d.anchor(d.at + "." + slug(name))
	if key := fieldKey(name); key != "" {
		d.Fields[key] = append(d.Fields[key], id)
	}
	mark(r, cell, id)
}

// mark gives a node an anchor, and puts a link to it at the end of another one.
func mark(n, in ast.Node, id string) {
	n.SetAttributeString("id", []byte(id))
	link := ast.NewString([]byte(` <a class="anchor" href="#` + id + `" aria-label="link to this place">#</a>`))
	link.SetCode(true) // as it is
	in.AppendChild(in, link)
}

// anchor returns a name that no other place of the document has.
func (d *document) anchor(name string) string {
	if name == "" {
		name = "x"
	}
	id := name
	for n := 2; d.taken[id]; n++ {
		id = fmt.Sprintf("%s-%d", name, n)
	}
	d.taken[id] = true
	return id
}

// slug is text as a part of an address.
func slug(text string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') }), "-")
}

// fieldKey is a name in lower-case letters and digits: readers write "vertex count", references "VertexCount".
func fieldKey(name string) string { return strings.ReplaceAll(slug(name), "-", "") }

// plain is what a node says, without marks.
func (d *document) plain(n ast.Node) string {
	var b strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if t, ok := n.(*ast.Text); ok && entering {
			b.Write(util.UnescapePunctuations(t.Value(d.source)))
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

var sectionNumber = regexp.MustCompile(`§(\d+(?:\.\d+)*)`)

// refer makes links of the numbers of sections in a text.
func (d *document) refer(t *ast.Text) {
	if _, ok := t.Parent().(*ast.CodeSpan); ok {
		return
	}
	for m := sectionNumber.FindSubmatchIndex(t.Value(d.source)); m != nil; m = sectionNumber.FindSubmatchIndex(t.Value(d.source)) {
		from := t.Segment.Start
		link := ast.NewLink()
		link.Destination = append([]byte("#"), d.source[from+m[2]:from+m[3]]...)
		link.AppendChild(link, ast.NewTextSegment(text.NewSegment(from+m[0], from+m[1])))
		in := t.Parent()
		in.InsertBefore(in, t, ast.NewTextSegment(text.NewSegment(from, from+m[0])))
		in.InsertBefore(in, t, link)
		t.Segment = t.Segment.WithStart(from + m[1])
	}
}

// field returns the anchor of a field: the first in the sections named, or, if none is, the only one of its name.
func (d *document) field(name string, sections []string) string {
	all := d.Fields[fieldKey(name)]
	for _, id := range all {
		for _, s := range sections {
			if strings.HasPrefix(id, s+".") {
				return id
			}
		}
	}
	if len(all) == 1 && len(sections) == 0 {
		return all[0]
	}
	return ""
}
