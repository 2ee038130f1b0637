package ultima9

import (
	"slices"
	"strings"

	"github.com/usher-assets/usher/convert/format"
)

// A book as Markdown: its title as the heading, line breaks as backslashes at the ends of lines, a code for a font or a
// page (`f1, `p) as a tag (<f1>, <p>) that viewers pass over, and in a shop the name as a second heading, each comment
// as one of HTML, and what is sold as a table of type, name and price. Heading, comment and table are blocks: each ends
// with a blank line of its own, and has one before it unless it follows another.

const (
	goodsHead = "| type | name | price |"
	goodsRule = "| --- | --- | --- |"
)

var (
	goodsLine = format.Pattern(`^#([^\s|]*[0-9A-Za-z][^\s|]*) "((?:[^"|\s](?:[^"|]*[^"|\s])?)?)" \$(\d+)[ \t]*$`)
	goodsRow  = format.Pattern(`^\|([^"|]*)\|([^"|]*)\|([^"|]*)\|$`)
	bookCode  = format.Pattern("`([pP]|[fF][0-9])")
	special   = format.Pattern("[\\\\`*_<>\\[\\]]|^[#+=|~-]|^[0-9]+[.)]")
	escaped   = format.Pattern("\\\\([\\\\`*_<>\\[\\]#+=|~.)-])|<([pP]|[fF][0-9])>")
)

// bookMarkdown makes Markdown of a title and the lines of a body.
func bookMarkdown(title string, body []string) string {
	out := []string{"# " + title, ""}
	afterBlock := true
	block := func(lines ...string) {
		if !afterBlock {
			out = append(out, "")
		}
		out = append(append(out, lines...), "")
		afterBlock = true
	}
	shop := slices.ContainsFunc(body, goodsLine().MatchString)
	for i := 0; i < len(body); i++ {
		line := body[i]
		switch {
		case goodsLine().MatchString(line):
			table := []string{goodsHead, goodsRule}
			for ; i < len(body) && goodsLine().MatchString(body[i]); i++ {
				m := goodsLine().FindStringSubmatch(body[i])
				table = append(table, "| "+m[1]+" | "+m[2]+" | "+m[3]+" |")
			}
			i--
			block(table...)
		case isComment(line):
			block("<!--" + line[1:] + "-->")
		case shop && i == 0 && line != "":
			block("## " + escapeMarkdown(line))
		default:
			text := escapeMarkdown(line)
			if i+1 < len(body) && line != "" && body[i+1] != "" && !isComment(body[i+1]) && !goodsLine().MatchString(body[i+1]) {
				text += `\`
			}
			out, afterBlock = append(out, text), false
		}
	}
	return strings.Join(out, "\n")
}

// isComment reports whether a line is a shop's comment that HTML can hold.
func isComment(line string) bool {
	return strings.HasPrefix(line, "!") && !strings.Contains(line, "--") && !strings.HasPrefix(line, "!>") && !strings.HasSuffix(line, "-")
}

// escapeMarkdown turns codes into tags and escapes what has another meaning in Markdown.
func escapeMarkdown(line string) string {
	text := func(s string) string {
		return special().ReplaceAllStringFunc(s, func(s string) string { return s[:len(s)-1] + `\` + s[len(s)-1:] })
	}
	var out strings.Builder
	from := 0
	for _, m := range bookCode().FindAllStringSubmatchIndex(line, -1) {
		out.WriteString(text(line[from:m[0]]) + "<" + line[m[2]:m[3]] + ">")
		from = m[1]
	}
	return out.String() + text(line[from:])
}

// unescapeMarkdown is the reverse of escapeMarkdown.
func unescapeMarkdown(text string) string {
	return escaped().ReplaceAllStringFunc(text, func(s string) string {
		if s[0] == '<' {
			return "`" + s[1:len(s)-1]
		}
		return s[1:]
	})
}

// parseBook reads Markdown: the title, ok when there is one, and the lines of the body.
func parseBook(text string) (title string, body []string, ok bool) {
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	p := bookParser{}
	if title, ok = strings.CutPrefix(lines[0], "# "); ok {
		lines, p.block = lines[1:], true
	}
	for _, line := range lines {
		p.line(line)
	}
	return title, p.body, ok
}

// bookParser collects the lines of a body.
type bookParser struct {
	body  []string
	open  bool // a text that goes on in the next line
	block bool // the last line was of a block
}

func (p *bookParser) line(line string) {
	trimmed := strings.TrimRight(line, " \t")
	stored, isBlock := blockLine(trimmed)
	switch {
	case isBlock:
		if n := len(p.body); !p.block && n > 0 && p.body[n-1] == "" {
			p.body = p.body[:n-1] // the blank line before the block
		}
		p.body, p.open, p.block = append(p.body, stored...), false, true
	case trimmed == "":
		if !p.block { // the one that ends a block is its own
			p.body = append(p.body, line)
		}
		p.open, p.block = false, false
	default:
		p.text(line)
	}
}

// text adds a line of a paragraph. Without a break at its end the next line goes on.
func (p *bookParser) text(line string) {
	ends := len(line) - len(strings.TrimRight(line, `\`))
	broken := ends%2 == 1
	if broken {
		line = line[:len(line)-1]
	}
	line = unescapeMarkdown(line)
	if p.open {
		p.body[len(p.body)-1] += " " + line
	} else {
		p.body = append(p.body, line)
	}
	p.open, p.block = !broken, false
}

// blockLine returns what a line of a block stands for: nothing for the head of a table.
func blockLine(line string) (stored []string, ok bool) {
	if name, ok := strings.CutPrefix(line, "## "); ok {
		return []string{unescapeMarkdown(name)}, true
	}
	if comment, ok := strings.CutPrefix(line, "<!--"); ok {
		if comment, ok := strings.CutSuffix(comment, "-->"); ok {
			return []string{"!" + comment}, true
		}
	}
	m := goodsRow().FindStringSubmatch(line)
	if m == nil {
		return nil, false
	}
	for i := range m {
		m[i] = strings.TrimSpace(m[i])
	}
	if m[1] == "type" && m[3] == "price" || strings.Trim(m[1], "-: ") == "" {
		return nil, true
	}
	return []string{"#" + m[1] + ` "` + m[2] + `" $` + strings.TrimPrefix(m[3], "$")}, true
}

// bookFromMarkdown returns the title and body of an edited book. Lines that are not edited are those of the stored body.
func bookFromMarkdown(text, title, stored string) (newTitle, body string) {
	plain := strings.ReplaceAll(stored, "\r\n", "\n")
	was := strings.Split(plain, "\n")
	text = strings.ReplaceAll(text, "\r\n", "\n")
	before := bookMarkdown(title, was)
	if text == before || text == before+"\n" {
		return title, stored
	}
	newTitle, lines, ok := parseBook(text)
	if !ok {
		newTitle = title
	}
	if n := len(lines); stored != "" && was[len(was)-1] != "" && n > 0 && lines[n-1] == "" {
		lines = lines[:n-1] // an editor's last line end
	}
	_, known, _ := parseBook(before)
	if len(known) == len(was) {
		next := 0
		for i, line := range lines {
			if k := slices.Index(known[next:], line); k >= 0 {
				next += k
				lines[i] = was[next]
				next++
			}
		}
	}
	return newTitle, lineEnds(strings.Join(lines, "\n"), stored)
}
