package po

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/chai2010/gettext-go/po"

	"github.com/usher-assets/usher/convert/format"
)

// Decode reads a PO file. Errors name the line. It checks the file line by line before the library parses it, since the
// library hangs on some files and allocates by numbers in others.
func Decode(b []byte) (*File, error) {
	b = bytes.TrimPrefix(b, []byte("\ufeff"))
	if !utf8.Valid(b) {
		return nil, errors.New("the text is no UTF-8: save the PO file in that encoding")
	}
	plain, lines, err := plainEntries(string(b))
	if err != nil {
		return nil, err
	}
	x, err := po.Load([]byte(plain))
	if err != nil {
		return nil, err
	}
	f := &File{Source: x.MimeHeader.UnknowFields[sourceField], CodePage: x.MimeHeader.UnknowFields[pageField]}
	for i := range x.Messages {
		m := &x.Messages[i]
		f.Messages = append(f.Messages, Message{Context: m.MsgContext, Text: m.MsgId, Translation: m.MsgStr, Fuzzy: m.GetFuzzy()})
		if len(lines) == len(x.Messages) {
			f.Messages[i].Line = lines[i]
		}
	}
	return f, nil
}

var (
	keywordLine = format.Pattern(`^(msgctxt|msgid|msgstr)[ \t]*"(.*)"[ \t]*$`)
	stringLine  = format.Pattern(`^[ \t]*"(.*)"[ \t]*$`)
	pluralLine  = format.Pattern(`^(msgid_plural|msgstr[ \t]*\[)`)
)

// plainEntries returns the entries of a file each with a blank line after it, every string on one line, and no comments
// but flags; and the lines in which those begin that are no header.
func plainEntries(text string) (string, []int, error) {
	p := plainer{}
	for i, line := range strings.Split(strings.ReplaceAll(text, "\r", ""), "\n") {
		p.number = i + 1
		if err := p.line(strings.TrimRight(line, " \t")); err != nil {
			return "", nil, fmt.Errorf("line %d: %w", i+1, err)
		}
	}
	err := p.end()
	return p.out.String(), p.lines, err
}

// plainer puts together the entries of a file.
type plainer struct {
	out   strings.Builder
	entry [][]byte // keyword lines, without their last quote
	last  string   // keyword of the last of them
	flags string

	number int   // of the line
	began  int   // the line in which the entry begins
	lines  []int // of the entries so far
}

func (p *plainer) line(line string) error {
	switch {
	case line == "":
		return p.end()
	case line[0] == '#':
		if p.last == "msgstr" {
			if err := p.end(); err != nil {
				return err
			}
		}
		if strings.HasPrefix(line, "#,") {
			p.flags += line + "\n"
		}
		return nil
	case pluralLine().MatchString(line):
		return errors.New("a plural form has no place here: every text is one message")
	}
	if m := keywordLine().FindStringSubmatch(line); m != nil {
		if order[m[1]] <= order[p.last] {
			if err := p.end(); err != nil {
				return err
			}
		}
		if p.last = m[1]; len(p.entry) == 0 {
			p.began = p.number
		}
		p.entry = append(p.entry, []byte(m[1]+` "`+m[2]))
		return checkString(m[2])
	}
	m := stringLine().FindStringSubmatch(line)
	if m == nil || p.last == "" {
		return fmt.Errorf("%.40q is no line of a PO file", line)
	}
	n := len(p.entry) - 1
	p.entry[n] = append(p.entry[n], m[1]...)
	return checkString(m[1])
}

// order is that of the keywords of an entry.
var order = map[string]int{"": 0, "msgctxt": 1, "msgid": 2, "msgstr": 3}

// end ends an entry. One with a context and without a text is passed over: the library takes it for the header.
func (p *plainer) end() error {
	if len(p.entry) == 0 {
		return nil
	}
	text := slices.IndexFunc(p.entry, func(s []byte) bool { return bytes.HasPrefix(s, []byte(`msgid "`)) })
	if text < 0 {
		return errors.New("a message without msgid ends here")
	}
	if text == 0 || len(p.entry[text]) > len(`msgid "`) {
		if len(p.entry[text]) > len(`msgid "`) {
			p.lines = append(p.lines, p.began)
		}
		p.out.WriteString(p.flags)
		for _, s := range p.entry {
			p.out.Write(s)
			p.out.WriteString("\"\n")
		}
		p.out.WriteString("\n")
	}
	p.entry, p.last, p.flags = p.entry[:0], "", ""
	return nil
}

// checkString refuses what the library does not undo.
func checkString(s string) error {
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '"':
			return errors.New("a quote inside a text is written as \\\"")
		case s[i] != '\\':
			continue
		}
		if i++; i == len(s) || !strings.ContainsRune(`rnt"\`, rune(s[i])) {
			return fmt.Errorf("the escape %q is not known", s[i-1:min(i+1, len(s))])
		}
	}
	return nil
}
