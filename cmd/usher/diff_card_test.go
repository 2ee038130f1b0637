package main

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"html"
	"image"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/exchange/wav"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/work/compare"
	"github.com/usher-assets/usher/testdata/corpus"
)

// attributes finds the attributes of a page that lead anywhere, and their values.
var attributes = regexp.MustCompile(`(?i)\b(src|href|srcset|action|poster|data|formaction|background|cite|ping|content)="([^"]*)"`)

// links are what the attributes of a page lead to, by the name of the attribute.
func links(page string) (list [][2]string) {
	for _, m := range attributes.FindAllStringSubmatch(page, -1) {
		list = append(list, [2]string{strings.ToLower(m[1]), html.UnescapeString(m[2])})
	}
	return list
}

// embedded returns the content of every data: address of a kind.
func embedded(t *testing.T, page, mime string) (list [][]byte) {
	t.Helper()
	for _, l := range links(page) {
		text, ok := strings.CutPrefix(l[1], "data:"+mime+";base64,")
		if !ok {
			continue
		}
		b, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, b)
	}
	return list
}

// usherIn runs the program in the present folder and returns its status.
func usherIn(t *testing.T, args ...string) int {
	t.Helper()
	var out bytes.Buffer
	code := run(context.Background(), append([]string{"usher"}, args...), strings.NewReader(""), &out, &out)
	if code > 1 {
		t.Fatalf("%v: status %d: %s", args, code, &out)
	}
	return code
}

// cardEdits are changed copies of files of testdata, one for each kind of content that a page shows.
var cardEdits = []struct {
	name, file, edited, from string // an unpacked file, and the one that takes its place
	replace                  [2]string
	pictures, sounds         int
}{
	{name: "pictures", file: "unreal/pictures.utx", edited: "Walls.Board.png", from: "Walls.Holes.png", pictures: 2},
	{name: "sounds", file: "unreal/sounds.uax", edited: "Beep.wav", pictures: 3, sounds: 2},
	{name: "models", file: "ultima9/sappear.flx", edited: "3.json", replace: [2]string{`"CylinderHeight": 40`, `"CylinderHeight": 41`}, pictures: 3},
	{name: "whole", file: "ultimate3d/ball.u3d", replace: [2]string{`"LODDistancesSq": [400`, `"LODDistancesSq": [500`}, pictures: 3},
}

// cardEdit makes the old and the new file in a folder of its own, which becomes the present one.
func cardEdit(t *testing.T, i int) (old, now string) {
	t.Helper()
	c := cardEdits[i]
	file := corpus.Testdata(t, c.file)
	t.Chdir(t.TempDir())
	ext := filepath.Ext(c.file)
	old, now = "old"+ext, "new"+ext
	put := func(name string, b []byte, err error) {
		t.Helper()
		if err == nil {
			err = os.WriteFile(name, b, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	b, err := os.ReadFile(file)
	put(old, b, err)
	if c.edited == "" {
		usherIn(t, "convert", old, "-o", "x.json")
		b, err = os.ReadFile("x.json")
		put("x.json", bytes.Replace(b, []byte(c.replace[0]), []byte(c.replace[1]), 1), err)
		usherIn(t, "convert", "x.json", "-o", now)
		return old, now
	}
	args := []string{"unpack", old, "-o", "work", "-q"}
	if filepath.Ext(c.edited) == ".json" {
		args = append(args, "--to", "json")
	}
	usherIn(t, args...)
	edited := filepath.Join("work", c.edited)
	switch {
	case c.from != "":
		b, err = os.ReadFile(filepath.Join("work", c.from))
	case c.sounds > 0:
		if b, err = os.ReadFile(edited); err == nil {
			clear(b[len(b)/2:])
		}
	default:
		b, err = os.ReadFile(edited)
		b = bytes.Replace(b, []byte(c.replace[0]), []byte(c.replace[1]), 1)
	}
	put(edited, b, err)
	usherIn(t, "pack", "work", "-o", now, "-q")
	return old, now
}

// TestCard: the page of a comparison leads nowhere but to what it has itself, permits its own script alone, has pictures and
// sounds that are what they say, and the patch that makes the new file of the old one, byte for byte.
func TestCard(t *testing.T) {
	for i, c := range cardEdits {
		t.Run(c.name, func(t *testing.T) {
			old, now := cardEdit(t, i)
			if usherIn(t, "diff", old, now, "--html", "card.html") != 1 {
				t.Fatal("nothing differs")
			}
			usherIn(t, "diff", old, now, "--html", "again.html")
			b, err := os.ReadFile("card.html")
			again, _ := os.ReadFile("again.html")
			if err != nil || !bytes.Equal(b, again) {
				t.Errorf("the page is another one when it is made again: %v", err)
			}
			page := string(b)
			leadsNowhere(t, page)
			pictures := embedded(t, page, "image/png")
			for _, b := range pictures {
				if _, _, err := image.Decode(bytes.NewReader(b)); err != nil {
					t.Error(err)
				}
			}
			sounds := embedded(t, page, "audio/wav")
			for _, b := range sounds {
				if s, err := wav.Decode(b); err != nil || s.Frames() == 0 || s.Rate == 0 {
					t.Errorf("a sound: %v", err)
				}
			}
			if len(pictures) != c.pictures || len(sounds) != c.sounds {
				t.Errorf("%d pictures and %d sounds, want %d and %d", len(pictures), len(sounds), c.pictures, c.sounds)
			}
			putOn(t, page, old, now)
			if strings.Contains(page, "which is no archive") != (c.name == "whole") {
				t.Error("the page does not tell rightly whether the patch has all of the file")
			}
		})
	}
}

// leadsNowhere checks that a page asks nobody for anything.
func leadsNowhere(t *testing.T, page string) {
	t.Helper()
	n := 0
	for _, l := range links(page) {
		if l[0] == "content" {
			continue
		}
		n++
		if !strings.HasPrefix(l[1], "data:") {
			t.Errorf("%s leads to %.80s", l[0], l[1])
		}
	}
	if n == 0 {
		t.Error("no attribute was looked at")
	}
	if s := regexp.MustCompile(`(?i)url\(|@import|http-equiv="?refresh|<(link|iframe|object|embed|base|form)\b|https?://`).FindString(page); s != "" {
		t.Errorf("there is %q in it", s)
	}
	policy := regexp.MustCompile(`script-src '(sha256-[^']+)'`).FindStringSubmatch(html.UnescapeString(page))
	sum := sha256.Sum256([]byte(cardScript))
	if policy == nil || policy[1] != "sha256-"+base64.StdEncoding.EncodeToString(sum[:]) || strings.Count(page, "<script") != 1 || !strings.Contains(page, "<script>"+cardScript+"</script>") {
		t.Error("the policy does not permit the one script that is there")
	}
}

// putOn puts the attached patch onto the old file by the command that the page shows, and compares.
func putOn(t *testing.T, page, old, now string) {
	t.Helper()
	zips := embedded(t, page, "application/zip")
	if len(zips) != 1 {
		t.Fatalf("%d patches", len(zips))
	}
	r, err := zip.NewReader(bytes.NewReader(zips[0]), int64(len(zips[0])))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir("there", 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS("there", r); err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(now)
	if err != nil {
		t.Fatal(err)
	}
	command := strings.Fields(html.UnescapeString(regexp.MustCompile(`<code>usher (pack .*)</code>`).FindStringSubmatch(page)[1]))
	b, err := os.ReadFile(old)
	if err == nil {
		err = os.WriteFile(filepath.Join("there", old), b, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir("there")
	usherIn(t, command...)
	if got, err := os.ReadFile(command[len(command)-1]); err != nil || !bytes.Equal(got, want) {
		t.Errorf("the patch gives something else: %v", err)
	}
}

// TestCardNames: whatever stands in any field of an entry, it is text on the page.
func TestCardNames(t *testing.T) {
	hostile := []string{`<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `' onmouseover='alert(1)`, `</style><b>`, `javascript:alert(1)`, "{{.}}", "&lt;", "\x00\xff", "a\u202eb"}
	fields := map[string]func(*compare.Entry, string){
		"path": func(e *compare.Entry, s string) { e.Path = s }, "from": func(e *compare.Entry, s string) { e.Status, e.From = compare.Renamed, s },
		"format": func(e *compare.Entry, s string) { e.Format = s }, "note": func(e *compare.Entry, s string) { e.Note = s },
		"error": func(e *compare.Entry, s string) { e.Status, e.Err = compare.Failed, errors.New(s) },
		"where": func(e *compare.Entry, s string) { e.Details = []compare.Detail{{What: "field", Where: s}} },
		"old":   func(e *compare.Entry, s string) { e.Details = []compare.Detail{{What: "field", Where: "x", Old: s}} },
		"new":   func(e *compare.Entry, s string) { e.Details = []compare.Detail{{What: "field", Where: "x", New: s}} },
	}
	tags := regexp.MustCompile(`<[^>]*>`)
	clean := func(set func(*compare.Entry, string), s string) string {
		e := compare.Entry{Path: "x", Status: compare.Changed, Kind: format.Raw, OldSize: 1, NewSize: 2, Details: []compare.Detail{{What: "field", Where: "x"}}}
		set(&e, s)
		c := newCard(s, "new")
		if err := c.add(&e); err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		if err := c.write(&b); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	for name, set := range fields {
		plain := strings.Join(tags.FindAllString(clean(set, "plain"), -1), "")
		for _, s := range hostile {
			if got := strings.Join(tags.FindAllString(clean(set, s), -1), ""); got != plain {
				t.Errorf("%s %q makes other tags", name, s)
			}
			if strings.IndexFunc(strings.ReplaceAll(clean(set, s), "\n", ""), obeyed) >= 0 {
				t.Errorf("%s %q is obeyed", name, s)
			}
		}
	}
}

// TestCardIsBounded: a page of many large pictures names what it has no room for, and a long sound is named alone.
func TestCardIsBounded(t *testing.T) {
	noise := image.NewNRGBA(image.Rect(0, 0, 256, 256))
	r := rand.New(rand.NewPCG(1, 2))
	for i := range noise.Pix {
		noise.Pix[i] = byte(r.Uint32())
	}
	c := newCard("old", "new")
	const entries = 150
	for i := range entries {
		e := &compare.Entry{Path: fmt.Sprintf("entry %03d.", i), Status: compare.Changed, Kind: format.Texture, Pictures: &compare.Pictures{Before: noise, After: noise}}
		if i == 0 {
			e.Pictures = &compare.Pictures{Before: noise, Heard: [2][]byte{make([]byte, mostOfSound), make([]byte, mostOfSound+1)}}
		}
		if err := c.add(e); err != nil {
			t.Fatal(err)
		}
	}
	var b bytes.Buffer
	if err := c.write(&b); err != nil {
		t.Fatal(err)
	}
	page := b.String()
	if len(page) < mostOnCard-mostOnCard/8 || len(page) > mostOnCard+mostOnCard/8 {
		t.Errorf("the page has %d bytes", len(page))
	}
	if n := strings.Count(page, "<section"); n != entries {
		t.Errorf("%d entries, want %d", n, entries)
	}
	for i := range entries {
		if !strings.Contains(page, fmt.Sprintf("entry %03d.", i)) {
			t.Errorf("entry %d is not named", i)
		}
	}
	shown := strings.Count(page, `class="pair"`)
	if c.LeftOut == 0 || c.LeftOut+shown != entries || !strings.Contains(page, fmt.Sprintf("of the last %d only the names", c.LeftOut)) {
		t.Errorf("%d shown, %d left out of %d", shown, c.LeftOut, entries)
	}
	if n := len(embedded(t, page, "audio/wav")); n != 1 || !strings.Contains(page, "too long for this page") {
		t.Errorf("%d sounds", n)
	}
}

// TestPatchCommand: names are one word each for a shell, and the result never takes the original's place.
func TestPatchCommand(t *testing.T) {
	for _, c := range [][4]string{
		{"p", "a.utx", "b.utx", "usher pack p --base a.utx -o b.utx"},
		{"p", "a.utx", "a.utx", "usher pack p --base a.utx -o patched/a.utx"},
		{"my p", "it's.utx", "$(x).utx", `usher pack 'my p' --base 'it'\''s.utx' -o '$(x).utx'`},
		{"p", "größe", "", `usher pack p --base 'größe' -o ''`},
	} {
		if got := patchCommand(c[0], c[1], c[2]); got != c[3] {
			t.Errorf("%s, want %s", got, c[3])
		}
	}
}
