package po_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/usher-assets/usher/convert/exchange/po"
)

// TestRoundTrip: what is written is read again, whatever signs the texts have.
func TestRoundTrip(t *testing.T) {
	text := rapid.StringOf(rapid.OneOf(rapid.RuneFrom([]rune("a \n\r\t\"\\#:,|m~é…\u0092")), rapid.Rune())).Filter(func(s string) bool {
		return s != "" && !strings.ContainsRune(s, 0)
	})
	rapid.Check(t, func(t *rapid.T) {
		f := &po.File{Source: rapid.StringMatching(`[A-Z a-z"\\.]{1,12}`).Draw(t, "source")}
		for range rapid.IntRange(0, 5).Draw(t, "messages") {
			m := po.Message{Context: text.Draw(t, "context"), Text: text.Draw(t, "text"), Fuzzy: rapid.Bool().Draw(t, "fuzzy")}
			if rapid.Bool().Draw(t, "translated") {
				m.Translation = text.Draw(t, "translation")
			}
			f.Messages = append(f.Messages, m)
		}
		got, err := po.Decode(po.Encode(f))
		if err != nil {
			t.Fatal(err)
		}
		f.Source = strings.TrimSpace(strings.NewReplacer(`"`, "_", `\`, "_").Replace(f.Source))
		if d := cmp.Diff(f, got, cmpopts.IgnoreFields(po.Message{}, "Line")); d != "" {
			t.Fatal(d)
		}
	})
}

// What other tools write: comments of all kinds, texts over several lines, entries without a line between them, obsolete
// ones, and CRLF.
func TestDecodeOfOtherTools(t *testing.T) {
	const text = `# A title
msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\n"
"X-Usher-Source: text.flx\n"

# somebody's remark
#. taken out
#: text.flx:3 text.flx:4
#, c-format, fuzzy
#| msgctxt "old"
#| "more of it"
#| msgid "before"
msgctxt "3"
msgid ""
"one\n"
"two"
msgstr ""
"eins\n"
"zwei"
msgctxt "4"
msgid "three"
msgstr "drei"
#~ msgid "gone"
#~ msgstr "weg"

msgctxt "5"
msgid ""
msgstr "Content-Type: nonsense"
`
	for _, s := range []string{text, strings.ReplaceAll(text, "\n", "\r\n"), "\ufeff" + text, strings.TrimSuffix(text[:strings.Index(text, "#~")], "\n")} {
		f, err := po.Decode([]byte(s))
		if err != nil {
			t.Fatal(err)
		}
		want := &po.File{Source: "text.flx", Messages: []po.Message{
			{Context: "3", Text: "one\ntwo", Translation: "eins\nzwei", Fuzzy: true, Line: 14}, {Context: "4", Text: "three", Translation: "drei", Line: 21}}}
		if d := cmp.Diff(want, f); d != "" {
			t.Error(d)
		}
	}
}

// TestEntries: entries end with their texts, blank line or not, and flags belong to what follows.
func TestEntries(t *testing.T) {
	for _, c := range []struct {
		text string
		want po.File
	}{
		{"msgid \"a\"\nmsgstr \"b\"\n#, fuzzy\nmsgid \"c\"\nmsgstr \"d\"", po.File{Messages: []po.Message{{Text: "a", Translation: "b", Line: 1}, {Text: "c", Translation: "d", Fuzzy: true, Line: 4}}}},
		{"#, fuzzy\nmsgctxt \"1\"\n# a remark\nmsgid \"a\"\n# another\nmsgstr \"b\"\n", po.File{Messages: []po.Message{{Context: "1", Text: "a", Translation: "b", Fuzzy: true, Line: 2}}}},
		{"msgid \"\"\nmsgstr \"X-Usher-Source: a\\n\"\n\nmsgctxt \"5\"\nmsgid \"\"\nmsgstr \"X-Usher-Source: b\\n\"\n\nmsgid \"c\"\nmsgstr \"\"\n", po.File{Source: "a", Messages: []po.Message{{Text: "c", Line: 8}}}},
		{"msgid\t\"a\" \t\n \"b\"\t\nmsgstr\"c\"\n", po.File{Messages: []po.Message{{Text: "ab", Translation: "c", Line: 1}}}},
		{"msgid \"a\"\nmsgid \"b\"\nmsgstr \"c\"\n", po.File{Messages: []po.Message{{Text: "a", Line: 1}, {Text: "b", Translation: "c", Line: 2}}}},
	} {
		got, err := po.Decode([]byte(c.text))
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
		} else if d := cmp.Diff(&c.want, got); d != "" {
			t.Errorf("%q: %s", c.text, d)
		}
	}
}

// TestEncode: a translator sees where a text is from, and what was noted of it.
func TestEncode(t *testing.T) {
	got := string(po.Encode(&po.File{Source: "my text\n.flx", CodePage: "cp1251", Messages: []po.Message{{Context: "3", Text: "one\ntwo", Place: 7, Note: " a\n note "}, {Context: "4", Text: "x\\\t\"\r", Translation: "y", Fuzzy: true}}}))
	const want = "msgid \"\"\nmsgstr \"\"\n\"Project-Id-Version: my text_.flx\\n\"\n\"Report-Msgid-Bugs-To: \\n\"\n\"POT-Creation-Date: \\n\"\n" +
		"\"PO-Revision-Date: \\n\"\n\"Last-Translator: \\n\"\n\"Language-Team: \\n\"\n\"Language: \\n\"\n\"MIME-Version: 1.0\\n\"\n" +
		"\"Content-Type: text/plain; charset=UTF-8\\n\"\n\"Content-Transfer-Encoding: 8bit\\n\"\n\"X-Generator: usher\\n\"\n" +
		"\"X-Usher-Source: my text_.flx\\n\"\n\"X-Usher-Codepage: cp1251\\n\"\n\n" +
		"#. a note\n#: my_text_.flx:7\nmsgctxt \"3\"\nmsgid \"one\\n\"\n\"two\"\nmsgstr \"\"\n\n" +
		"#: my_text_.flx\n#, fuzzy\nmsgctxt \"4\"\nmsgid \"x\\\\\\t\\\"\\r\"\nmsgstr \"y\"\n\n"
	if got != want {
		t.Error(cmp.Diff(want, got))
	}
}

// Files with what has no place here, and others that say too little, are refused by line.
func TestDecodeRefuses(t *testing.T) {
	for _, c := range [][2]string{
		{"msgid \"a\"\nmsgid_plural \"b\"\nmsgstr[0] \"c\"\n", "line 2: a plural form"},
		{"msgid \"a\"\nmsgstr[99999999999] \"c\"\n", "line 2: a plural form"},
		{"msgid \"a\nmsgstr \"c\"\n", "line 1: \"msgid \\\"a\" is no line"},
		{"\"a\"\n", "line 1: \"\\\"a\\\"\" is no line"},
		{"msgctxt \"1\"\nmsgstr \"c\"\n\n", "line 3: a message without msgid"},
		{"msgctxt \"1\"\nmsgstr \"c\"\n# remark\n", "line 3: a message without msgid"},
		{"msgctxt \"1\"\nmsgstr \"c\"\nmsgctxt \"2\"\nmsgid \"d\"\n", "line 3: a message without msgid"},
		{"msgctxt \"1\"", "a message without msgid"},
		{"msgid \"\\x41\"\nmsgstr \"\"\n", "line 1: the escape \"\\\\x\""},
		{"msgid \"a\\\"\nmsgstr \"\"\n", "line 1: the escape \"\\\\\" is not known"},
		{"msgid \"a\"b\"\nmsgstr \"\"\n", "line 1: a quote inside"},
		{"msgid \"\xff\"\n", "no UTF-8"},
	} {
		if f, err := po.Decode([]byte(c[0])); err == nil || !strings.Contains(err.Error(), c[1]) {
			t.Errorf("%q: %v, %v; want %q", c[0], f, err, c[1])
		}
	}
}

// A text of very many lines takes no more than its share of time.
func TestDecodeLong(t *testing.T) {
	b := []byte("msgid \"a\"\nmsgstr \"\"\n" + strings.Repeat("\"line\\n\"\n", 1<<20))
	f, err := po.Decode(b)
	if err != nil || len(f.Messages[0].Translation) != 5<<20 {
		t.Fatal(err)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte("msgid \"\"\nmsgstr \"X-Usher-Source: a\\n\"\n\n#, fuzzy\nmsgctxt \"1\"\nmsgid \"a\"\nmsgstr \"b\\n\"\n\"c\"\n"))
	f.Add([]byte("#| \"x\"\n#~ msgid \"a\"\nmsgid \"a\"\nmsgstr[7] \"\""))
	f.Fuzz(func(t *testing.T, b []byte) {
		x, err := po.Decode(b)
		if err != nil {
			return
		}
		again, err := po.Decode(po.Encode(x))
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(x.Messages, again.Messages, cmpopts.IgnoreFields(po.Message{}, "Line")); d != "" {
			t.Error(d)
		}
	})
}

func BenchmarkDecode(b *testing.B) {
	f := &po.File{Source: "text.flx"}
	for range 7000 {
		f.Messages = append(f.Messages, po.Message{Context: "123", Text: "A line of some eighty characters, as people say them in games of that time.", Translation: "Noch eine"})
	}
	file := po.Encode(f)
	b.SetBytes(int64(len(file)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := po.Decode(file); err != nil {
			b.Fatal(err)
		}
	}
}
