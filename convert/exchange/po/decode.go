package po

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/usher-assets/usher/convert/format"
)

// Decode reads a PO file. Errors name the line.
func Decode(b []byte) (*File, error) {
	b = bytes.TrimPrefix(b, []byte("\ufeff"))
	if !utf8.Valid(b) {
		return nil, errors.New("the text is no UTF-8: save the PO file in that encoding")
	}
	r := reader{entry: map[string][]byte{}}
	for line := range strings.SplitSeq(strings.ReplaceAll(string(b), "\r", ""), "\n") {
		r.number++
		if err := r.line(strings.TrimRight(line, " \t")); err != nil {
			return nil, fmt.Errorf("line %d: %w", r.number, err)
		}
	}
	if err := r.end(); err != nil {
		return nil, err
	}
	return &r.file, nil
}

var (
	keywordLine = format.Pattern(`^(msgctxt|msgid|msgstr)[ \t]*"(.*)"[ \t]*$`)
	stringLine  = format.Pattern(`^[ \t]*"(.*)"[ \t]*$`)
	pluralLine  = format.Pattern(`^(msgid_plural|msgstr[ \t]*\[)`)
)

// reader puts together the entries of a file.
type reader struct {
	file  File
	entry map[string][]byte // texts by keyword
	last  string            // keyword of the last of them; empty between entries
	fuzzy bool

	number int // of the line
	began  int // the line in which the entry begins
}

func (r *reader) line(line string) error {
	switch {
	case line == "":
		return r.end()
	case line[0] == '#':
		return r.comment(line)
	case pluralLine().MatchString(line):
		return errors.New("a plural form has no place here: every text is one message")
	}
	if m := keywordLine().FindStringSubmatch(line); m != nil {
		return r.keyword(m[1], m[2])
	}
	m := stringLine().FindStringSubmatch(line)
	if m == nil || r.last == "" {
		return fmt.Errorf("%.40q is no line of a PO file", line)
	}
	return r.add(m[1])
}

// comment takes flags from a comment. One behind a translation is of the next entry.
func (r *reader) comment(line string) error {
	if r.last == "msgstr" {
		if err := r.end(); err != nil {
			return err
		}
	}
	if flags, is := strings.CutPrefix(line, "#,"); is {
		for flag := range strings.SplitSeq(flags, ",") {
			r.fuzzy = r.fuzzy || strings.TrimSpace(flag) == "fuzzy"
		}
	}
	return nil
}

// keywords are in the order of an entry.
var keywords = []string{"", "msgctxt", "msgid", "msgstr"}

// keyword begins a text, and an entry if that has no place for it any more.
func (r *reader) keyword(keyword, text string) error {
	if slices.Index(keywords, keyword) <= slices.Index(keywords, r.last) {
		if err := r.end(); err != nil {
			return err
		}
	}
	if r.last == "" {
		r.began = r.number
	}
	r.last, r.entry[keyword] = keyword, nil
	return r.add(text)
}

// add adds to the last text what stands between the quotes of a line.
func (r *reader) add(s string) error {
	text := r.entry[r.last]
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '"':
			return errors.New("a quote inside a text is written as \\\"")
		case s[i] != '\\':
			text = append(text, s[i])
			continue
		}
		if i++; i == len(s) || strings.IndexByte(escapes, s[i]) < 0 {
			return fmt.Errorf("the escape %q is not known", s[i-1:min(i+1, len(s))])
		}
		text = append(text, escaped[strings.IndexByte(escapes, s[i])])
	}
	r.entry[r.last] = text
	return nil
}

// What is written as a backslash and a letter of escapes is the sign of escaped in the same place.
const escapes, escaped = `rnt"\`, "\r\n\t\"\\"

// end ends an entry. One with a context and without a text is neither message nor header, and passed over.
func (r *reader) end() error {
	if r.last == "" {
		return nil
	}
	text, given := r.entry["msgid"]
	context, placed := r.entry["msgctxt"]
	switch {
	case !given:
		return errors.New("a message without msgid ends here")
	case len(text) > 0:
		r.file.Messages = append(r.file.Messages,
			Message{Context: string(context), Text: string(text), Translation: string(r.entry["msgstr"]), Fuzzy: r.fuzzy, Line: r.began})
	case !placed:
		r.header(string(r.entry["msgstr"]))
	}
	clear(r.entry)
	r.last, r.fuzzy = "", false
	return nil
}

// header takes from the header what usher has written into it.
func (r *reader) header(text string) {
	for line := range strings.SplitSeq(text, "\n") {
		name, value, _ := strings.Cut(line, ":")
		switch value = strings.TrimSpace(value); strings.TrimSpace(name) {
		case sourceField:
			r.file.Source = value
		case pageField:
			r.file.CodePage = value
		}
	}
}
