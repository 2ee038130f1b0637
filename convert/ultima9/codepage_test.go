package ultima9

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/exchange/codepage"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/testdata/corpus"
	"github.com/usher-assets/usher/testdata/made"
	"github.com/usher-assets/usher/testdata/u9"

	write "github.com/usher-assets/usher/write/ultima9"
)

// paged is a format with single-byte texts: a record, and what sets one of its texts after the other.
type paged struct {
	format *format.Format
	record []byte
	room   int // of each text
	texts  func(v any, next func() string)
}

// pagedFormats are all formats with single-byte texts that become tables, texts or sounds.
func pagedFormats(t *testing.T) map[string]paged {
	fixed := func(v any, next func() string) { made.Each(v, func(x *ultima9.FixedText) { x.Text = next() }) }
	file := func(name string) []byte { return corpus.Bytes(t, corpus.Testdata(t, "ultima9", name)) }
	return map[string]paged{
		"npc": {&npcFormat, file("people.npc"), 31, fixed}, "category": {&soundCategoryFormat, file("doors.sfxcat"), 32, fixed},
		"environment": {&soundEnvironmentFormat, file("hall.sfxenv"), 32, fixed}, "activity": {&activityFormat, file("ada.activity"), 14, fixed},
		"template": {&soundTemplateFormat, file("fountain.sfxtmpl"), 32, fixed}, "sound": {&soundFormat, file("bell.snd"), 31, fixed},
		"registry": {&registryFormat, file("registry.txt"), 31, func(v any, next func() string) {
			made.Each(v, func(x *ultima9.RegistryLine) {
				if x.ID != 0 {
					x.Name = next()
				}
			})
		}},
		"typename": {&typeNameFormat, u9.Do(write.TypeName(ultima9.NewTypeName(-1, 7041, "crate")))(t), 1 << 10, func(v any, next func() string) {
			text := next()
			v.(*ultima9.TypeName).Name = &text
		}},
		"book": {&bookFormat, file("lanterns.book"), 1 << 16, func(v any, next func() string) {
			b := v.(*ultima9.Book)
			b.Title.Text, b.Body = next(), next()
		}},
		"diary": {&diaryFormat, file("diary.diary"), 1 << 16, func(v any, next func() string) {
			entries := v.(*ultima9.Diary).Entries
			for i := range entries {
				entries[i] = next()
			}
		}},
	}
}

// everyPair are texts of at most room bytes in which each byte from 80h on stands alone between letters, and before each
// that can follow it in a character.
func everyPair(room int) (texts []string) {
	var out []byte
	add := func(b ...byte) {
		if len(out)+len(b) > room {
			texts, out = append(texts, schema.DecodeWindows1252(out)), nil
		}
		out = append(out, b...)
	}
	add('a')
	for lead := 0x80; lead < 0x100; lead++ {
		add(byte(lead), ' ', 'a')
		for trail := 0x21; trail < 0x100; trail++ {
			if room > 100 || trail%13 == 1 || slices.Contains([]int{0x40, 0x5C, 0x60, 0x7C, 0x7E, 0x80, 0xA1, 0xFC}, trail) {
				add(byte(lead), byte(trail), 'a')
			}
		}
	}
	return append(texts, schema.DecodeWindows1252(out))
}

// TestPages: in every code page each byte of each text of every format comes back, alone and before every other one. The text
// goes into a record that had another one.
func TestPages(t *testing.T) {
	cases := 0
	for name, x := range pagedFormats(t) {
		for _, page := range codepage.Names() {
			for _, markdown := range []bool{false, true}[:1+boolean(name == "book")] {
				env := &format.Env{Options: format.Options{CodePage: page, Markdown: markdown}}
				texts := everyPair(x.room)
				for at := 0; at < len(texts); {
					v := u9.Do(x.format.Read(bytes.Clone(x.record), nil))(t)
					x.texts(v, func() string { at++; return texts[min(at, len(texts))-1] })
					want := u9.Do(x.format.Write(v))(t)
					a := u9.Do(x.format.Lift(v, env))(t)
					setPayload(a, x.record)
					got, err := x.format.Lower(a, env)
					if err != nil {
						t.Fatalf("%s in %s: %v", name, page, err)
					}
					corpus.SameBytes(t, fmt.Sprintf("%s in %s, Markdown %v, text %d", name, page, markdown, at), u9.Do(x.format.Write(got))(t), want)
					cases++
				}
			}
		}
	}
	t.Logf("%d records", cases)
}

func boolean(b bool) int {
	if b {
		return 1
	}
	return 0
}

func setPayload(a asset.Asset, b []byte) {
	switch a := a.(type) {
	case *asset.Table:
		a.Native.Payload = b
	case *asset.Text:
		a.Native.Payload = b
	case *asset.Sound:
		a.Native.Payload = b
	}
}

// TestTranslated: a translation has the bytes of its page, and what the page lacks, or the record has no room for, is
// named.
func TestTranslated(t *testing.T) {
	russian := &format.Env{Options: format.Options{CodePage: "windows-1251"}}
	book := func(body string) ([]byte, error) {
		x, err := lowerBook(&asset.Text{Name: "1: Эль", Body: body}, russian)
		if err != nil {
			return nil, err
		}
		return write.Book(x)
	}
	if got, err := book("Хлеб"); err != nil || !bytes.Contains(got, []byte("1: \xDD\xEB\xFC\x00")) || !bytes.Contains(got, []byte("\xD5\xEB\xE5\xE1")) {
		t.Errorf("a book is %q (%v)", got, err)
	}
	people := u9.Do(npcFormat.Read(corpus.Bytes(t, corpus.Testdata(t, "ultima9", "people.npc")), nil))(t)
	for _, c := range []struct {
		name, text, want string
		class            error
	}{
		{"fits", "Ёж", "", nil},
		{"all of the room", strings.Repeat("Ж", 31), "", nil},
		{"one too many", strings.Repeat("Ж", 32), "longer than 31", schema.ErrRange},
		{"two too many", strings.Repeat("Ж", 33), `33 bytes, and there is room for 31`, schema.ErrRange},
		{"of another alphabet", "é", "row 1: Name: windows-1251 lacks 'é' (U+00E9)", schema.ErrValue},
	} {
		a := u9.Do(npcFormat.Lift(people, russian))(t).(*asset.Table)
		k := slices.Index(a.Columns, "Name")
		if a.Columns[k+1] != "Name bytes of 31" || a.Rows[0][k+1] != int64(len(a.Rows[0][k].(string))) {
			t.Fatalf("columns %q, row %v", a.Columns[:k+2], a.Rows[0][:k+2])
		}
		a.Rows[0][k] = c.text
		v, err := npcFormat.Lower(a, russian)
		if err == nil {
			_, err = npcFormat.Write(v)
		}
		if !errors.Is(err, c.class) || c.class != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	if _, err := book("a\nb\ncafé"); err == nil || !strings.Contains(err.Error(), "text: line 3: windows-1251 lacks 'é'") {
		t.Errorf("a letter of another alphabet in a book: %v", err)
	}
	if _, err := liftBook(new(ultima9.Book), &format.Env{Options: format.Options{CodePage: "koi8"}}); err == nil {
		t.Error("there is no such page")
	}
}
