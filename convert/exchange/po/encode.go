package po

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// File is a PO file.
type File struct {
	Source   string // name of the file that the texts come from
	CodePage string // that it has them in; empty for the usual one
	Messages []Message
}

// Message is a text and its translation.
type Message struct {
	Context string // distinguishes messages with the same Text; not empty
	Text    string // the source text; not empty, since the message without text is the file's header
	// Translation is empty if there is none yet.
	Translation string
	Fuzzy       bool   // the translation is a guess that somebody should check
	Place       int    // where the text stands in the source: a line, the number of an entry; 0 if that has no number
	Note        string // for the translator
	Line        int    // line of the PO file that it was read from; 0 if unknown
}

// sourceField is the field of the header that holds File.Source.
const sourceField = "X-Usher-Source"

// pageField is the field of the header that holds File.CodePage.
const pageField = "X-Usher-Codepage"

// Encode writes a PO file with its messages in order. Texts should have line feeds as line ends.
func Encode(f *File) []byte {
	if f == nil {
		return nil
	}
	source := plain(f.Source)
	var out bytes.Buffer
	out.WriteString("msgid \"\"\nmsgstr \"\"\n")
	for _, field := range [][2]string{
		{"Project-Id-Version", source}, {"Report-Msgid-Bugs-To"}, {"POT-Creation-Date"}, {"PO-Revision-Date"}, {"Last-Translator"},
		{"Language-Team"}, {"Language"}, {"MIME-Version", "1.0"}, {"Content-Type", "text/plain; charset=UTF-8"},
		{"Content-Transfer-Encoding", "8bit"}, {"X-Generator", "usher"}, {sourceField, source}, {pageField, plain(f.CodePage)},
	} {
		if field[0] != pageField || field[1] != "" {
			fmt.Fprintf(&out, "\"%s: %s\\n\"\n", field[0], field[1])
		}
	}
	place := strings.ReplaceAll(source, " ", "_") // a space ends it
	for i := range f.Messages {
		f.Messages[i].write(&out, place)
	}
	out.WriteByte('\n')
	return out.Bytes()
}

// write writes the message behind what is there.
func (m *Message) write(out *bytes.Buffer, place string) {
	out.WriteByte('\n')
	if note := strings.Join(strings.Fields(m.Note), " "); note != "" {
		fmt.Fprintf(out, "#. %s\n", note)
	}
	if m.Place > 0 {
		place += ":" + strconv.Itoa(m.Place)
	}
	fmt.Fprintf(out, "#: %s\n", place)
	if m.Fuzzy {
		out.WriteString("#, fuzzy\n")
	}
	if m.Context != "" {
		fmt.Fprintf(out, "msgctxt %s", quoted(m.Context))
	}
	fmt.Fprintf(out, "msgid %smsgstr %s", quoted(m.Text), quoted(m.Translation))
}

var escaper = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\r", `\r`, "\n", `\n`, "\t", `\t`)

// quoted returns a text between quotes, each of its lines in a line of its own.
func quoted(s string) string {
	if s == "" {
		return "\"\"\n"
	}
	var out strings.Builder
	for line := range strings.Lines(s) {
		out.WriteString(`"` + escaper.Replace(line) + "\"\n")
	}
	return out.String()
}

// plain returns a text that may stand between quotes.
func plain(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == '"' || r == '\\' {
			return '_'
		}
		return r
	}, s)
}
