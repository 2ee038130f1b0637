package ini

import (
	"fmt"
	"strings"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/freelancer"
)

// Parse parses the text of an INI file as the game does: a line end ends everything, a semicolon begins a comment, as does
// an @ at the beginning of a line, commas separate values, blanks around anything are ignored, and quotes are ordinary
// characters. A key without an equals sign has no values. A message in d names what a compiled file cannot hold: comments,
// and lines before the first section, which the game ignores.
func Parse(text string, d *schema.Diagnostics) (*freelancer.BINI, error) {
	p := parse(text)
	if err := p.faults.Err(); err != nil {
		return nil, err
	}
	p.tell(d)
	return p.x, nil
}

// Lines are the numbers of lines, from 1: of a section, and behind it of its entries.
type Lines [][]int

func parse(text string) *parser {
	p := &parser{x: new(freelancer.BINI)}
	for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
		p.line++
		if err := p.parse(strings.Trim(line, blanks+"\r\n")); err != nil {
			p.faults.Add(&schema.FormatError{Format: "ini", Path: fmt.Sprintf("line %d", p.line), Offset: -1, Class: schema.ErrValue, Msg: err.Error()})
		}
	}
	return p
}

const blanks = " \t"

// parser makes sections of lines.
type parser struct {
	x        *freelancer.BINI
	at       Lines
	line     int
	comments []int // lines that have one
	outside  []int // lines before the first section
	wide     []int // lines with numbers beyond those that are signed
	faults   schema.Faults
}

// tell names what is not kept.
func (p *parser) tell(d *schema.Diagnostics) {
	if len(p.comments) > 0 {
		d.Lossf("comments", "", "%s: a compiled INI has no room for comments; keep the text", lines(p.comments))
	}
	if len(p.outside) > 0 {
		d.Lossf("no-section", "", "%s: before the first section, where the game reads nothing: left out", lines(p.outside))
	}
	if len(p.wide) > 0 {
		d.Notef("unsigned", "", "%s: numbers beyond 2147483647 are stored by their 32 bits, and come back as negative ones", lines(p.wide))
	}
}

// lines names line numbers, of many the first.
func lines(list []int) string {
	const most = 5
	words := "line " + fmt.Sprint(list[0])
	for _, n := range list[1:min(len(list), most)] {
		words += ", " + fmt.Sprint(n)
	}
	if len(list) > most {
		words += fmt.Sprintf(" and %d more", len(list)-most)
	}
	return words
}

func (p *parser) parse(line string) error {
	switch {
	case line == "":
		return nil
	case line[0] == ';' || line[0] == '@':
		p.comments = append(p.comments, p.line)
		return nil
	case line[0] == '[':
		return p.section(line[1:])
	case len(p.x.Sections) == 0:
		p.outside = append(p.outside, p.line)
		return nil
	}
	return p.entry(line)
}

// section takes the line of a section, without its bracket. The closing one may be missing.
func (p *parser) section(line string) error {
	end := ";"
	if strings.Contains(line, "]") {
		end = "]"
	}
	name, rest, err := token(line, end)
	if err != nil {
		return err
	}
	if rest != "" && rest[0] == ']' {
		rest = strings.Trim(rest[1:], blanks)
	}
	if rest != "" { // a comment, whether it has its sign or not
		p.comments = append(p.comments, p.line)
	}
	name, err = unquoted(name)
	p.x.Sections = append(p.x.Sections, freelancer.BINISection{Name: name})
	p.at = append(p.at, []int{p.line})
	return err
}

func (p *parser) entry(line string) error {
	key, rest, err := token(line, "=;")
	if err != nil {
		return err
	}
	e := freelancer.BINIEntry{}
	if e.Name, err = unquoted(key); err != nil {
		return err
	}
	if rest != "" && rest[0] == '=' {
		if e.Values, rest, err = p.values(rest[1:]); err != nil {
			return fmt.Errorf("%s: %w", e.Name, err)
		}
	}
	if rest != "" {
		p.comments = append(p.comments, p.line)
	}
	s := &p.x.Sections[len(p.x.Sections)-1]
	s.Entries = append(s.Entries, e)
	p.at[len(p.at)-1] = append(p.at[len(p.at)-1], p.line)
	return nil
}

// values returns the values of an entry, and the comment behind them. Nothing at all is no value; nothing before or behind a
// comma is an empty text.
func (p *parser) values(line string) (list []freelancer.BINIValue, rest string, err error) {
	for {
		var word string
		if word, rest, err = token(line, ",;"); err != nil {
			return nil, "", err
		}
		more := rest != "" && rest[0] == ','
		if word == "" && !more && list == nil {
			return nil, rest, nil
		}
		v, err := freelancer.ParseBINIValue(word)
		if err == nil {
			err = storable(v.Text)
		}
		if err != nil {
			return nil, "", fmt.Errorf("value %d: %w", len(list)+1, err)
		}
		if v.Type == freelancer.BINIInt && int32(v.Bits) < 0 && word[0] != '-' {
			p.wide = append(p.wide, p.line)
		}
		list = append(list, v)
		if !more {
			return list, rest, nil
		}
		line = rest[1:]
	}
}

// token returns what stands before the first of the signs, without blanks around it, and what follows. Between backquotes
// signs mean nothing.
func token(line, signs string) (word, rest string, err error) {
	line = strings.TrimLeft(line, blanks)
	from := 0
	if strings.HasPrefix(line, "`") {
		_, behind, err := freelancer.UnquoteBINI(line)
		if err != nil {
			return "", "", err
		}
		from = len(line) - len(behind)
	}
	if i := strings.IndexAny(line[from:], signs); i >= 0 {
		return strings.TrimRight(line[:from+i], blanks), line[from+i:], nil
	}
	return strings.TrimRight(line, blanks), "", nil
}

// unquoted returns the name of a section or a key.
func unquoted(word string) (string, error) {
	if !strings.Contains(word, "`") {
		return word, storable(word)
	}
	name, rest, err := freelancer.UnquoteBINI(word)
	if err == nil && rest != "" {
		err = fmt.Errorf("%q stands behind a closing backquote", rest)
	}
	if err == nil {
		err = storable(name)
	}
	return name, err
}

// storable returns an error for a text that a compiled file cannot hold.
func storable(text string) error {
	if _, ok := schema.EncodeWindows1252(text); !ok || strings.IndexByte(text, 0) >= 0 {
		return fmt.Errorf("%q has a character that Windows-1252, the encoding of the game, lacks", text)
	}
	return nil
}
