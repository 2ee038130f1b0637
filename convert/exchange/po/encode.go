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

// Encode writes a PO file with its messages in order. Texts should have line feeds as line ends.
func Encode(f *File) []byte {
	if f == nil {
		return nil
	}
	source := strings.Map(func(r rune) rune { // stands between quotes
		if r < ' ' || r == '"' || r == '\\' {
			return '_'
		}
		return r
	}, f.Source)
	header := po.Header{
		ProjectIdVersion: source, MimeVersion: "1.0", ContentType: "text/plain; charset=UTF-8", ContentTransferEncoding: "8bit",
		XGenerator: "usher", UnknowFields: map[string]string{sourceField: source},
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, "%s\n", header)
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
