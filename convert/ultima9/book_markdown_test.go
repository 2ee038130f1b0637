package ultima9

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/testdata/corpus"
	"github.com/usher-assets/usher/testdata/u9"

	read "github.com/usher-assets/usher/read/ultima9"
	write "github.com/usher-assets/usher/write/ultima9"
)

// markdownEnv asks for Markdown.
func markdownEnv() *format.Env {
	env := &format.Env{}
	env.Options.Markdown = true
	return env
}

func TestBookMarkdown(t *testing.T) {
	for _, c := range []struct{ title, body, want string }{
		{"3: Of Lanterns", "`pTrim the wick.\r\n`f1Often.\r\n", "# 3: Of Lanterns\n\n<p>Trim the wick.\\\n<f1>Often.\n"},
		{"4: Shop", "SHOP\r\n!note\r\n#12 \"Torch\" $5\r\n#13 \"Lily\" $120\r\n", "# 4: Shop\n\n## SHOP\n\n<!--note-->\n\n" +
			"| type | name | price |\n| --- | --- | --- |\n| 12 | Torch | 5 |\n| 13 | Lily | 120 |\n\n"},
		{"", "a\r\n\r\n# 1 *b*\r\n1. c", "# \n\na\n\n\\# 1 \\*b\\*\\\n1\\. c"},
	} {
		a := u9.Do(liftBook(&ultima9.Book{Title: ultima9.CountedText{Text: c.title}, Body: c.body}, markdownEnv()))(t)
		if a.Body != c.want || a.Extension != ".md" {
			t.Errorf("%q, want %q", a.Body, c.want)
		}
	}
}

// Every book of the corpus comes back from Markdown to the byte, and line for line what was written is what is read.
func TestBooksThroughMarkdown(t *testing.T) {
	dir := corpus.Folder(t, "ultima9")
	books := 0
	for _, file := range []string{"synthetic/types/books-en.flx", "real/book"} {
		for _, slot := range corpus.Slots(t, filepath.Join(dir, file)) {
			if len(slot.Payload) == 0 {
				continue
			}
			books++
			x := u9.Do(read.Book(slot.Payload, nil))(t)
			a := u9.Do(liftBook(x, markdownEnv()))(t)
			corpus.SameBytes(t, x.Title.Text, u9.Do(write.Book(u9.Do(lowerBook(a, nil))(t)))(t), slot.Payload)
			alone := u9.Do(lowerBook(&asset.Text{Body: a.Body, Extension: ".md"}, nil))(t)
			trim := func(s string) string {
				lines := strings.Split(strings.ReplaceAll(s, "\r\n", "\n"), "\n")
				for i := range lines {
					lines[i] = strings.TrimRight(lines[i], " \t")
				}
				return strings.Join(lines, "\n")
			}
			if !strings.Contains(x.Title.Text, "\n") && trim(alone.Body) != trim(x.Body) {
				t.Errorf("%s: %q, want %q", x.Title.Text, alone.Body, x.Body)
			}
		}
	}
	if books < 463 {
		t.Errorf("%d books", books)
	}
}

// What Markdown is made of any lines is read as these lines.
func TestMarkdownOfAnyLines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		body := rapid.SliceOfN(rapid.OneOf(
			rapid.Just(""), rapid.StringMatching("[ -~äß]{1,12}[!-~]"), rapid.StringMatching("(`[pPf][0-9]?|[<>\\\\|#*!`-]|x){1,6}"),
			rapid.StringMatching(`#[0-9]{1,4} "[A-Za-z ]{0,6}[a-z]" \$[0-9]{1,3}`), rapid.StringMatching("![a-z ]{0,6}[a-z]"),
		), 1, 8).Draw(t, "body")
		title, got, ok := parseBook(bookMarkdown("9: x", body))
		if !ok || title != "9: x" || !slices.Equal(got, body) {
			t.Fatalf("%q from %q", got, bookMarkdown("9: x", body))
		}
	})
}

func TestMarkdownEdits(t *testing.T) {
	stored := "SHOP\r\n!note\r\n#12 \"Torch\" $5\t\t\r\n#13 \"Lily\" $120 \r\nOpen.\r\nDaily."
	edit := func(old, new string) *ultima9.Book {
		x := &ultima9.Book{Title: ultima9.CountedText{Text: "4: Shop"}, Body: stored}
		a := u9.Do(liftBook(x, markdownEnv()))(t)
		if !strings.Contains(a.Body, old) {
			t.Fatalf("%q is not in %q", old, a.Body)
		}
		a.Body = strings.Replace(a.Body, old, new, 1) + "\n" // an editor ends the last line
		return u9.Do(lowerBook(a, nil))(t)
	}
	for _, c := range []struct{ old, new, in, out string }{
		{"SHOP", "SHOP", "", ""},
		{"| 5 |", "|7|", "#12 \"Torch\" $5\t\t", "#12 \"Torch\" $7"},
		{"| 13 | Lily | 120 |\n", "| 13 | Lily | 120 |\n| 14 | Rope | $9 |\n", "$120 \r\n", "$120 \r\n#14 \"Rope\" $9\r\n"},
		{"<!--note-->", "<!--other-->", "!note", "!other"},
		{"Open.\\\nDaily.", "Open.\nDaily.", "Open.\r\nDaily.", "Open. Daily."},
		{"Daily.", "Daily.\n\n<f2>Closed\\\non \\*days\\*.", "Daily.", "Daily.\r\n\r\n`f2Closed\r\non *days*."},
	} {
		if got, want := edit(c.old, c.new).Body, strings.Replace(stored, c.in, c.out, 1); got != want {
			t.Errorf("%q: %q, want %q", c.new, got, want)
		}
	}
	if got := edit("# 4: Shop", "# 4: Store"); got.Title.Text != "4: Store" || got.Body != stored {
		t.Errorf("%+v", got)
	}
}
