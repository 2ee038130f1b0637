package ini

import (
	"strings"

	"github.com/usher-assets/usher/schema/freelancer"
)

// Extension is the extension of INI files, compiled or not.
const Extension = ".ini"

// The characters that mean something in the name of a section, and of a key.
const (
	inSection = "]"
	inKey     = "=;["
)

// Text returns the text of a compiled INI file. [Parse] returns the same sections, entries and values from it.
func Text(x *freelancer.BINI) string {
	var b strings.Builder
	for i := range x.Sections {
		if i > 0 {
			b.WriteString(newLine)
		}
		b.WriteString("[" + freelancer.BININame(x.Sections[i].Name, inSection) + "]" + newLine)
		for k := range x.Sections[i].Entries {
			writeEntry(&b, &x.Sections[i].Entries[k])
		}
	}
	return b.String()
}

const newLine = "\r\n"

func writeEntry(b *strings.Builder, e *freelancer.BINIEntry) {
	b.WriteString(freelancer.BININame(e.Name, inKey))
	for i, v := range e.Values {
		text := v.String()
		switch {
		case i == 0 && text == "" && len(e.Values) == 1: // else there would be no value
			text = " = ``"
		case i == 0:
			text = " = " + text
		case text == "" && i == len(e.Values)-1:
			text = ","
		default:
			text = ", " + text
		}
		b.WriteString(text)
	}
	b.WriteString(newLine)
}
