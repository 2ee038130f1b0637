package layout

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/usher-assets/usher/schema"
)

// About is what a description says of its format beside the layout.
type About struct {
	Name, Title string
	Extensions  []string
	Anchor      func(field string) string // where more is said of a field; it may be empty
}

// head says where a description comes from, and what it leaves out.
func (l *Layout) head(a *About) []string {
	list := []string{
		fmt.Sprintf("%s: %s.", a.Name, a.Title),
		fmt.Sprintf("Made by usher of what its reader noted in %s, and in %d more in which one thing was altered.", schema.Counted(l.Files, "file", "files"), l.Altered),
	}
	if !l.Whole {
		list = append(list, "This is not all: what follows depends on more than single numbers before it, or lies where offsets say.")
	}
	if len(l.Records) > 0 {
		list = append(list, "Of these records it is not known here how many there are, or where they lie: "+strings.Join(names(l.Records), ", ")+".")
	}
	return list
}

func names(items []*Item) (list []string) {
	for _, x := range items {
		list = append(list, x.Name)
	}
	return list
}

// Useful reports whether a layout says more than that there are bytes.
func (l *Layout) Useful() bool {
	for _, x := range l.Items {
		if x.Record != nil || x.Words[0].numeric() {
			return true
		}
	}
	return len(l.Items) > 1 || len(l.Records) > 0
}

// description writes a layout in the language of another program.
type description struct {
	strings.Builder
	about *About
	types map[*Item]string // of records
	taken map[string]bool
}

func newDescription(a *About) *description {
	return &description{about: a, types: map[*Item]string{}, taken: map[string]bool{}}
}

func (d *description) line(depth int, format string, args ...any) {
	d.WriteString(strings.Repeat("  ", depth))
	fmt.Fprintf(d, format+"\n", args...)
}

// typeOf is the name of the type of a record, which no other has.
func (d *description) typeOf(x *Item, name string) string {
	if d.types[x] == "" {
		fresh := name
		for n := 2; d.taken[fresh]; n++ {
			fresh = fmt.Sprintf("%s_%d", name, n)
		}
		d.types[x], d.taken[fresh] = fresh, true
	}
	return d.types[x]
}

// place is the number at a place, with a word for the record further out.
func (p Place) text(parent string, name func(*Item) string) string {
	parts := strings.Fields(strings.Repeat(parent+" ", p.Up))
	for _, x := range p.In {
		parts = append(parts, name(x))
	}
	return strings.Join(append(parts, name(p.Item)), ".")
}

// condition is a condition and those that its number depends on.
func (c *Condition) text(up int, and, parent string, name func(*Item) string) string {
	p := c.Place
	p.Up += up
	own := fmt.Sprintf("%s %s %d", p.text(parent, name), c.Test, c.Number)
	if c.Test == HasBit {
		own = fmt.Sprintf("(%s & %d) != 0", p.text(parent, name), c.Number)
	}
	if before := c.Place.Item.If; before != nil {
		return before.text(p.Up, and, parent, name) + " " + and + " " + own
	}
	return own
}

// text is the number of values, or of bytes.
func (c Count) text(parent string, name func(*Item) string) string {
	var factors []string
	for _, p := range c.Places {
		factors = append(factors, p.text(parent, name))
	}
	text := strings.Join(factors, " * ")
	switch {
	case text == "":
		return fmt.Sprint(c.Number)
	case c.Number != 0:
		return fmt.Sprintf("%s %+d", text, c.Number)
	}
	return text
}

// times multiplies an expression.
func times(expression string, by int) string {
	n, err := strconv.Atoi(expression)
	switch {
	case by == 1:
		return expression
	case err == nil:
		return strconv.Itoa(n * by)
	}
	return fmt.Sprintf("(%s) * %d", expression, by)
}
