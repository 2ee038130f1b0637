package docs

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/gomarkdown/markdown"
	"github.com/gomarkdown/markdown/ast"
	"github.com/gomarkdown/markdown/html"
	"github.com/gomarkdown/markdown/parser"
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

	taken map[string]bool // anchors
	at    string          // anchor of the present section
	named int             // the column that names the fields of the present table
}

// dialect is what the references are written in.
const dialect = parser.Tables | parser.FencedCode | parser.NoIntraEmphasis | parser.SpaceHeadings | parser.NoEmptyLineBeforeBlock | parser.OrderedListStart

// begins is how links and tags begin. The parser would take [K] (7 bytes) for a link, and x<0, y>0 for a tag.
var begins = map[byte]*regexp.Regexp{'[': regexp.MustCompile(`^\[[^\]]*\]\(`), '<': regexp.MustCompile(`^<[A-Za-z/!]`)}

// parse makes a document of Markdown.
func parse(source string) *document {
	d := &document{Fields: map[string][]string{}, taken: map[string]bool{}}
	p := parser.NewWithExtensions(dialect)
	for mark, begin := range begins {
		usual := p.RegisterInline(mark, nil)
		p.RegisterInline(mark, func(p *parser.Parser, text []byte, at int) (int, ast.Node) {
			if !begin.Match(text[at:]) {
				return 0, nil
			}
			return usual(p, text, at)
		})
	}
	p.RegisterInline('_', nil) // names end with it; what is stressed has stars
	root := p.Parse([]byte(source))
	ast.WalkFunc(root, d.visit)
	d.Body = string(markdown.Render(root, html.NewRenderer(html.RendererOptions{RenderNodeHook: openRow})))
	return d
}

// openRow writes the beginning of a row with an anchor, which the renderer would leave out.
func openRow(w io.Writer, n ast.Node, entering bool) (ast.WalkStatus, bool) {
	row, ok := n.(*ast.TableRow)
	if !ok || !entering || row.Attribute == nil {
		return ast.GoToNext, false
	}
	fmt.Fprintf(w, "\n<tr id=\"%s\">\n", row.Attribute.ID)
	return ast.GoToNext, true
}

// visit gives headings and rows of tables anchors, and makes links of numbers of sections.
func (d *document) visit(n ast.Node, entering bool) ast.WalkStatus {
	if !entering {
		return ast.GoToNext
	}
	switch n := n.(type) {
	case *ast.Heading:
		d.heading(n)
	case *ast.TableRow:
		if _, ok := n.Parent.(*ast.TableHeader); ok {
			d.head(n)
		} else {
			d.row(n)
		}
	case *ast.Text:
		refer(n)
	}
	return ast.GoToNext
}

// number is the number that a heading begins with.
var number = regexp.MustCompile(`^(\d+(?:\.\d+)*)\.? `)

func (d *document) heading(h *ast.Heading) {
	title := plain(h)
	if d.Title == "" {
		d.Title = title
	}
	id := slug(title)
	if n := number.FindStringSubmatch(title); n != nil {
		id = n[1]
	}
	d.at = d.anchor(id)
	d.Sections = append(d.Sections, section{d.at, title, h.Level})
	h.HeadingID = d.at
	ast.AppendChild(h, linkTo(d.at))
}

// head finds out which column of a table names its fields.
func (d *document) head(r *ast.TableRow) {
	d.named = 0
	for i, cell := range r.Children {
		if name := strings.ToLower(plain(cell)); name == "field" || name == "name" {
			d.named = i
			return
		}
	}
}

// row lets a row be linked to, by the name of the field in it.
func (d *document) row(r *ast.TableRow) {
	cell := r.Children[min(d.named, len(r.Children)-1)]
	name := plain(cell)
	id := d.anchor(d.at + "." + slug(name))
	if key := fieldKey(name); key != "" {
		d.Fields[key] = append(d.Fields[key], id)
	}
	r.Attribute = &ast.Attribute{ID: []byte(id)}
	ast.AppendChild(cell, linkTo(id))
}

// linkTo is the mark at the end of a place by which its address can be copied.
func linkTo(id string) ast.Node {
	return &ast.HTMLSpan{Leaf: ast.Leaf{Literal: []byte(` <a class="anchor" href="#` + id + `" aria-label="link to this place">#</a>`)}}
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
func plain(n ast.Node) string {
	var b strings.Builder
	ast.WalkFunc(n, func(n ast.Node, entering bool) ast.WalkStatus {
		switch n := n.(type) {
		case *ast.Text:
			b.Write(n.Literal)
		case *ast.Code:
			b.Write(n.Literal)
		}
		return ast.GoToNext
	})
	return b.String()
}

var sectionNumber = regexp.MustCompile(`§(\d+(?:\.\d+)*)`)

// refer makes links of the numbers of sections in a text.
func refer(t *ast.Text) {
	found := sectionNumber.FindAllSubmatchIndex(t.Literal, -1)
	if found == nil {
		return
	}
	var parts []ast.Node
	text := func(b []byte) *ast.Text { return &ast.Text{Leaf: ast.Leaf{Literal: b}} }
	from := 0
	for _, m := range found {
		to := &ast.Link{Destination: append([]byte("#"), t.Literal[m[2]:m[3]]...)}
		ast.AppendChild(to, text(t.Literal[m[0]:m[1]]))
		parts = append(parts, text(t.Literal[from:m[0]]), to)
		from = m[1]
	}
	parts = append(parts, text(t.Literal[from:]))
	in := t.Parent.AsContainer()
	at := slices.Index(in.Children, ast.Node(t))
	for _, p := range parts {
		p.SetParent(t.Parent)
	}
	in.Children = slices.Replace(slices.Clone(in.Children), at, at+1, parts...)
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
