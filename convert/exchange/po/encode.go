package po

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/chai2010/gettext-go/po"
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
	Place       int    // where the text stands in the source
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
	header := po.Header{
		ProjectIdVersion: source, MimeVersion: "1.0", ContentType: "text/plain; charset=UTF-8", ContentTransferEncoding: "8bit",
		XGenerator: "usher", UnknowFields: map[string]string{sourceField: source},
	}
	var out bytes.Buffer
	out.WriteString(header.String())
	if f.CodePage != "" { // the library writes the fields that it does not know in any order
		fmt.Fprintf(&out, "\"%s: %s\\n\"\n", pageField, plain(f.CodePage))
	}
	out.WriteByte('\n')
	place := strings.ReplaceAll(source, " ", "_") // a space ends it
	for _, m := range f.Messages {
		x := po.Message{MsgContext: m.Context, MsgId: m.Text, MsgStr: m.Translation}
		x.ReferenceFile, x.ReferenceLine, x.ExtractedComment = []string{place}, []int{m.Place}, strings.Join(strings.Fields(m.Note), " ")
		if m.Fuzzy {
			x.Flags = []string{"fuzzy"}
		}
		fmt.Fprintf(&out, "%s\n", x)
	}
	return out.Bytes()
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
