package ultima9

import (
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/exchange/codepage"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/testdata/u9"
)

// TestDiaryEnds: a diary of another program, or one whose marks an editor has written with CRLF, has ends of lines as the game does;
// where the marks are as they were, a CRLF is the game's own.
func TestDiaryEnds(t *testing.T) {
	crlf := strings.ReplaceAll(ultima9.DiaryMark, "\n", "\r\n")
	own, foreign := &asset.Native{Format: diaryName}, &asset.Native{Format: "text"}
	for what, x := range map[string]struct {
		body   string
		native *asset.Native
		want   []string
	}{
		"of nobody":              {"a\r\nb" + ultima9.DiaryMark + "c", nil, []string{"a\nb", "c"}},
		"of another format":      {"a\r\nb", foreign, []string{"a\nb"}},
		"its own":                {"a\r\nb" + ultima9.DiaryMark + "c\n", own, []string{"a\r\nb", "c\n"}},
		"its own, saved as CRLF": {"a\r\nb" + crlf + "c", own, []string{"a\nb", "c"}},
	} {
		got := u9.Do(lowerDiary(&asset.Text{Body: x.body, Native: x.native}, nil))(t)
		if !slices.Equal(got.Entries, x.want) {
			t.Errorf("%s: %q, want %q", what, got.Entries, x.want)
		}
	}
}

// TestKeys: keys have a text as the bytes of its code page, one character each.
func TestKeys(t *testing.T) {
	cyrillic, err := codepage.Find("1251")
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		page *codepage.Page
		text string
		want string
	}{{nil, "Grüße", "Grüße"}, {nil, "Зал", "Зал"}, {cyrillic, "Зал", "\u00c7\u00e0\u00eb"}, {cyrillic, "hall", "hall"}, {cyrillic, "ü", "ü"}} {
		if got := (&hasher{page: x.page}).key(x.text); got != x.want {
			t.Errorf("%q: %q, want %q", x.text, got, x.want)
		}
	}
}
