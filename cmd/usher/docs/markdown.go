package docs

import (
	"fmt"
	"html"
	"regexp"
	"strings"
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

	out   strings.Builder
	taken map[string]bool // anchors
	at    string          // anchor of the present section
}

// The Markdown that the references are written in: headings, paragraphs, lists, tables, fences, rules.
var (
	headingLine = regexp.MustCompile(`^(#{1,6}) (.*)$`)
	itemLine    = regexp.MustCompile(`^( *)(?:[-*+]|(\d+)\.) (.*)$`)
	ruleLine    = regexp.MustCompile(`^ {0,3}(---+|\*\*\*+)$`)
	dashesLine  = regexp.MustCompile(`^\|[-: |]+\|$`)
)

// parse makes a document of Markdown.
func parse(text string) *document {
	d := &document{Fields: map[string][]string{}, taken: map[string]bool{}}
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	for len(lines) > 0 {
		lines = lines[d.block(lines):]
	}
	d.Body = d.out.String()
	return d
}

// block writes the block that the lines begin with, and returns how many lines it has.
func (d *document) block(lines []string) int {
	line := lines[0]
	switch {
	case strings.TrimSpace(line) == "":
		return 1
	case strings.HasPrefix(line, "```"):
		return d.fence(lines)
	case headingLine.MatchString(line):
		d.heading(line)
		return 1
	case ruleLine.MatchString(line):
		d.out.WriteString("<hr>\n")
		return 1
	case isTable(lines):
		return d.table(lines)
	case itemLine.MatchString(line):
		return d.list(lines)
	}
	n := 1
	for n < len(lines) && !begins(lines[n:]) {
		n++
	}
	fmt.Fprintf(&d.out, "<p>%s</p>\n", inline(strings.Join(lines[:n], "\n")))
	return n
}

// begins reports whether the lines begin another block than a paragraph.
func begins(lines []string) bool {
	line := lines[0]
	return strings.TrimSpace(line) == "" || strings.HasPrefix(line, "```") || headingLine.MatchString(line) || ruleLine.MatchString(line) ||
		isTable(lines) || itemLine.MatchString(line)
}

func isTable(lines []string) bool {
	return len(lines) > 1 && strings.HasPrefix(lines[0], "|") && dashesLine.MatchString(strings.TrimSpace(lines[1]))
}

func (d *document) fence(lines []string) int {
	n := 1
	for n < len(lines) && !strings.HasPrefix(lines[n], "```") {
		n++
	}
	fmt.Fprintf(&d.out, "<pre>%s</pre>\n", html.EscapeString(strings.Join(lines[1:n], "\n")))
	return min(n+1, len(lines))
}

// number is the number that a heading begins with.
var number = regexp.MustCompile(`^(\d+(?:\.\d+)*)\.? `)

func (d *document) heading(line string) {
	m := headingLine.FindStringSubmatch(line)
	level, title := len(m[1]), m[2]
	if d.Title == "" {
		d.Title = plain(title)
	}
	id := slug(title)
	if n := number.FindStringSubmatch(title); n != nil {
		id = n[1]
	}
	d.at = d.anchor(id)
	d.Sections = append(d.Sections, section{d.at, plain(title), level})
	fmt.Fprintf(&d.out, "<h%d id=\"%s\">%s %s</h%[1]d>\n", level, d.at, inline(title), link(d.at))
}

func link(id string) string {
	return `<a class="anchor" href="#` + id + `" aria-label="link to this place">#</a>`
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

// table writes a table. Each row can be linked to, by the name of the field in it.
func (d *document) table(lines []string) int {
	head := cells(lines[0])
	named := 0
	for i, c := range head {
		if c := strings.ToLower(c); c == "field" || c == "name" {
			named = i
			break
		}
	}
	d.out.WriteString("<div class=\"scroll\"><table>\n<tr>")
	for _, c := range head {
		fmt.Fprintf(&d.out, "<th>%s</th>", inline(c))
	}
	d.out.WriteString("</tr>\n")
	n := 2
	for ; n < len(lines) && strings.HasPrefix(lines[n], "|"); n++ {
		d.row(cells(lines[n]), named)
	}
	d.out.WriteString("</table></div>\n")
	return n
}

func (d *document) row(row []string, named int) {
	name := ""
	if named < len(row) {
		name = plain(row[named])
	}
	id := d.anchor(d.at + "." + slug(name))
	if key := fieldKey(name); key != "" {
		d.Fields[key] = append(d.Fields[key], id)
	}
	fmt.Fprintf(&d.out, "<tr id=\"%s\">", id)
	for i, c := range row {
		mark := ""
		if i == min(named, len(row)-1) {
			mark = " " + link(id)
		}
		fmt.Fprintf(&d.out, "<td>%s%s</td>", inline(c), mark)
	}
	d.out.WriteString("</tr>\n")
}

// fieldKey is a name in lower-case letters and digits: readers write "vertex count", references "VertexCount".
func fieldKey(name string) string { return strings.ReplaceAll(slug(name), "-", "") }

// cells are the cells of a row. A bar behind a backslash belongs to a cell.
func cells(line string) (list []string) {
	line = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(line), "|"), "|")
	for c := range strings.SplitSeq(strings.ReplaceAll(line, `\|`, "\x00"), "|") {
		list = append(list, strings.ReplaceAll(strings.TrimSpace(c), "\x00", "|"))
	}
	return list
}

// list writes a list, with what is indented below its items.
func (d *document) list(lines []string) int {
	first := itemLine.FindStringSubmatch(lines[0])
	tag := "ul"
	if first[2] != "" {
		tag = "ol"
	}
	fmt.Fprintf(&d.out, "<%s>\n", tag)
	n := 0
	for n < len(lines) {
		m := itemLine.FindStringSubmatch(lines[n])
		if m == nil || len(m[1]) != len(first[1]) || (m[2] != "") != (first[2] != "") {
			break
		}
		text := m[3]
		for n++; n < len(lines) && !begins(lines[n:]); n++ {
			text += "\n" + strings.TrimSpace(lines[n])
		}
		if m[2] != "" {
			fmt.Fprintf(&d.out, "<li value=\"%s\">%s", m[2], inline(text))
		} else {
			fmt.Fprintf(&d.out, "<li>%s", inline(text))
		}
		if n < len(lines) {
			if m := itemLine.FindStringSubmatch(lines[n]); m != nil && len(m[1]) > len(first[1]) {
				n += d.list(lines[n:])
			}
		}
		d.out.WriteString("</li>\n")
	}
	fmt.Fprintf(&d.out, "</%s>\n", tag)
	return n
}

// Within a line: code, bold, emphasis, and numbers of sections.
var (
	codeSpan = regexp.MustCompile("(``+) ?(.+?) ?``+|`([^`]+)`")
	bold     = regexp.MustCompile(`\*\*([^*\s](?:[^*]*[^*\s])?)\*\*`)
	emphasis = regexp.MustCompile(`(^|[^*\w])\*([^*\s](?:[^*]*[^*\s])?)\*($|[^*\w])`)
	referred = regexp.MustCompile(`§(\d+(?:\.\d+)*)`)
)

// inline is a piece of text as HTML. Code is laid aside first: marks around it are marks, marks in it are letters.
func inline(text string) string {
	var code []string
	text = codeSpan.ReplaceAllStringFunc(text, func(s string) string {
		m := codeSpan.FindStringSubmatch(s)
		code = append(code, m[2]+m[3])
		return fmt.Sprintf("\x00%d\x00", len(code)-1)
	})
	s := html.EscapeString(text)
	s = bold.ReplaceAllString(s, "<b>$1</b>")
	s = emphasis.ReplaceAllString(s, "$1<em>$2</em>$3")
	s = referred.ReplaceAllString(s, `<a href="#$1">§$1</a>`)
	for i, c := range code {
		s = strings.Replace(s, fmt.Sprintf("\x00%d\x00", i), "<code>"+html.EscapeString(c)+"</code>", 1)
	}
	return s
}

// field returns the anchor of a field: the first in the sections named, or the only one of its name.
func (d *document) field(name string, sections []string) string {
	all := d.Fields[fieldKey(name)]
	for _, id := range all {
		for _, s := range sections {
			if strings.HasPrefix(id, s+".") {
				return id
			}
		}
	}
	if len(all) == 1 {
		return all[0]
	}
	return ""
}

var tag = regexp.MustCompile(`<[^>]*>`)

// plain is a piece of text without marks.
func plain(text string) string { return html.UnescapeString(tag.ReplaceAllString(inline(text), "")) }
