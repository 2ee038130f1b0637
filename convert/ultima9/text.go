package ultima9

import (
	"fmt"
	"math"
	"strings"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/ultima9/beside"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"

	read "github.com/usher-assets/usher/read/ultima9"
	write "github.com/usher-assets/usher/write/ultima9"
)

const (
	bookName = "u9-book"
	textName = "u9-text"
)

// textFormats lists the formats of the text archives.
var textFormats = []format.Format{bookFormat, textRecordFormat, textTableFormat}

// Book holds the typed functions for one format: book.
var Book = format.Functions[ultima9.Book, *asset.Text]{
	Read:  read.Book,
	Write: write.Book,
	Facts: bookFacts,
	Lift:  liftBook,
	Lower: lowerBook,
}

var bookFormat = format.Of(format.Format{
	Name: bookName, Family: family, Title: "Ultima IX book", Kind: format.Text, Extensions: []string{".book"},
	Probe: probeBook, SingleByte: true,
}, Book)

// Text holds the typed functions for one format: line of text.
var Text = format.Functions[ultima9.Text, *asset.Text]{
	Read:  read.Text,
	Write: write.Text,
	Facts: func(x *ultima9.Text) []format.Fact { return []format.Fact{{Name: "text", Value: x.Text}} },
	Lift:  liftText,
	Lower: lowerText,
}

var textRecordFormat = format.Of(format.Format{
	Name: textName, Family: family, Title: "Ultima IX line of text", Kind: format.Text, Extensions: []string{".u9text"},
	Probe: probeText,
}, Text)

// TextTable holds the typed functions for one format: table of spoken lines.
var TextTable = format.Functions[ultima9.TextTable, *asset.Table]{
	Read:  read.TextTable,
	Write: write.TextTable,
	Facts: textTableFacts,
	Lift:  liftTextTable,
	Lower: lowerTextTable,
}

var textTableFormat = format.Of(tableFormat(textTableName, "Ultima IX table of spoken lines", named(probeTextTable, "text.dat"), ".dat"), TextTable)

// liftBook makes a text of the body as it is stored: font codes (`p, `f1 …), the lines of a shop (#item "name" $price,
// !comment) and line ends included; or Markdown, when that is asked for. The title may be changed in Native.Values, and in
// the heading of Markdown.
func liftBook(x *ultima9.Book, env *format.Env) (*asset.Text, error) {
	payload, err := write.Book(x)
	if err != nil {
		return nil, err
	}
	p, err := beside.Page(env)
	if err != nil {
		return nil, err
	}
	title, body, extension := p.Show(x.Title.Text), p.Show(x.Body), ".txt"
	name := title
	if name == "" {
		name = env.EntryName("book")
	}
	if env != nil && env.Options.Markdown {
		body, extension = bookMarkdown(title, strings.Split(strings.ReplaceAll(body, "\r\n", "\n"), "\n")), ".md"
	}
	return &asset.Text{Name: name, Body: body, Extension: extension,
		Native: tellPage(&asset.Native{Format: bookName, Payload: payload, Values: map[string]any{"title": title}}, env)}, nil
}

func lowerBook(a *asset.Text, env *format.Env) (*ultima9.Book, error) {
	p, err := beside.Page(env)
	if err != nil {
		return nil, err
	}
	x, title, stored := new(ultima9.Book), a.Name, ""
	if n := a.Native; n != nil && n.Format == bookName {
		if len(n.Payload) > 0 {
			b, err := read.Book(n.Payload, nil)
			if err != nil {
				return nil, err
			}
			x, title, stored = b, p.Show(b.Title.Text), p.Show(b.Body)
		}
		if given, ok := n.Values["title"].(string); ok {
			title = given
		}
	}
	body := lineEnds(a.Body, stored)
	if a.Extension == ".md" {
		title, body = bookFromMarkdown(a.Body, title, stored)
	}
	if x.Title.Text, err = p.Take(title); err != nil {
		return nil, lacking(bookName, "title", err)
	}
	if x.Body, err = p.Take(body); err != nil {
		return nil, lacking(bookName, "text", err)
	}
	return x, nil
}

// lineEnds gives an edited text the line ends of the game, which editors like to change: carriage return and line feed,
// unless the stored text had others. A text that differs in line ends alone is the stored one.
func lineEnds(text, stored string) string {
	plain := func(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") }
	if plain(text) == plain(stored) {
		return stored
	}
	if stored != "" && strings.Contains(plain(stored), "\n") && !strings.Contains(stored, "\r\n") {
		return plain(text)
	}
	return strings.ReplaceAll(plain(text), "\n", "\r\n")
}

// storeLine is a line of a book that is a shop's stock.
type storeLine struct {
	Item    string // "#item" without the mark
	Name    string
	Price   string // digits
	Comment string // of a "!" line
}

// storeLines finds the lines of a shop's stock in a book; none when it is no shop.
func storeLines(body string) (lines []storeLine) {
	for line := range strings.Lines(body) {
		line = strings.TrimRight(line, "\r\n")
		if comment, ok := strings.CutPrefix(line, "!"); ok {
			lines = append(lines, storeLine{Comment: comment})
			continue
		}
		item, ok := strings.CutPrefix(line, "#")
		if !ok {
			continue
		}
		item, rest, _ := strings.Cut(item, " ")
		x := storeLine{Item: item}
		if _, quoted, ok := strings.Cut(rest, `"`); ok {
			x.Name, rest, _ = strings.Cut(quoted, `"`)
		}
		if _, price, ok := strings.Cut(rest, "$"); ok {
			x.Price = strings.TrimSpace(price)
		}
		lines = append(lines, x)
	}
	return lines
}

func bookFacts(x *ultima9.Book) []format.Fact {
	facts := []format.Fact{{Name: "title", Value: x.Title.Text}, {Name: "characters", Value: len([]rune(x.Body))}}
	goods := 0
	for _, l := range storeLines(x.Body) {
		if l.Item != "" {
			goods++
		}
	}
	if goods > 0 {
		facts = append(facts, format.Fact{Name: "goods for sale", Value: goods})
	}
	return facts
}

// liftText makes a text of a line.
func liftText(x *ultima9.Text, env *format.Env) (*asset.Text, error) {
	payload, err := write.Text(x)
	if err != nil {
		return nil, err
	}
	return &asset.Text{Name: env.EntryName("text"), Body: x.Text, Extension: ".txt", Native: &asset.Native{Format: textName, Payload: payload}}, nil
}

// lowerText returns the stored record for an unchanged line. A changed one loses what stood behind its zero.
func lowerText(a *asset.Text, env *format.Env) (*ultima9.Text, error) {
	text := strings.TrimRight(a.Body, "\r\n")
	if n := a.Native; n != nil && n.Format == textName {
		x, err := read.Text(n.Payload, nil)
		if err != nil {
			return nil, err
		}
		same := lineEnds(a.Body, x.Text)
		if same == x.Text {
			return x, nil
		}
		if strings.Contains(x.Text, "\n") {
			text = same
		}
	}
	if i := strings.IndexFunc(text, func(r rune) bool { return r > math.MaxUint16 }); i >= 0 {
		env.Told().Warnf("surrogates", "", "%q is two signs in the game, which has none beyond 65,535", []rune(text[i:])[0])
	}
	return &ultima9.Text{Text: text}, nil
}

func textTableFacts(x *ultima9.TextTable) []format.Fact {
	items := 0
	for _, b := range x.Buckets {
		items += len(b)
	}
	return []format.Fact{{Name: "buckets", Value: len(x.Buckets)}, {Name: "lines", Value: items}}
}

// liftDiary makes a text of a savegame's diary as it is stored: a line of signs separates its entries.
func liftDiary(x *ultima9.Diary, env *format.Env) (*asset.Text, error) {
	p, err := beside.Page(env)
	if err != nil {
		return nil, err
	}
	entries := make([]string, len(x.Entries))
	for i, e := range x.Entries {
		entries[i] = p.Show(e)
	}
	return &asset.Text{Name: env.EntryName("diary"), Body: strings.Join(entries, ultima9.DiaryMark), Extension: ".txt",
		Native: tellPage(&asset.Native{Format: diaryName}, env)}, nil
}

func lowerDiary(a *asset.Text, env *format.Env) (*ultima9.Diary, error) {
	body := a.Body
	if a.Native == nil || a.Native.Format != diaryName || strings.Contains(body, strings.ReplaceAll(ultima9.DiaryMark, "\n", "\r\n")) {
		body = strings.ReplaceAll(body, "\r\n", "\n")
	}
	p, err := beside.Page(env)
	if err != nil {
		return nil, err
	}
	x := &ultima9.Diary{Entries: strings.Split(body, ultima9.DiaryMark)}
	for i, e := range x.Entries {
		if x.Entries[i], err = p.Take(e); err != nil {
			return nil, lacking(diaryName, fmt.Sprintf("entry %d", i+1), err)
		}
	}
	return x, nil
}
