package main

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/png"
	"regexp"
	"strings"
	"testing"
)

// patchwork is a picture with every kind of pixel.
func patchwork() *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, 70, 40))
	for i := 0; i < len(m.Pix); i += 4 {
		noise := uint32(i*i+7) * 2654435761
		noise = (noise ^ noise>>15) * 2246822519
		m.Pix[i], m.Pix[i+1], m.Pix[i+2], m.Pix[i+3] = byte(noise>>24), byte(noise>>16), byte(i>>3), 255
		if i/4%11 == 0 {
			m.Pix[i+3] = 0
		}
	}
	return m
}

// TestTerminals: which terminal understands what, as its environment tells.
func TestTerminals(t *testing.T) {
	kitty, iterm, sixel := "\x1b_G", "\x1b]1337;", "\x1bP"
	for _, c := range []struct{ env, starts string }{
		{"TERM=xterm-256color", ""},
		{"TERM=dumb", ""},
		{"", ""},
		{"TERM=xterm-kitty", kitty},
		{"TERM=xterm-256color KITTY_WINDOW_ID=1", kitty},
		{"TERM_PROGRAM=ghostty", kitty},
		{"TERM_PROGRAM=iTerm.app TERM=xterm-256color", iterm},
		{"TERM_PROGRAM=WezTerm", iterm},
		{"LC_TERMINAL=iTerm2", iterm},
		{"TERM=foot", sixel},
		{"TERM=mlterm", sixel},
		{"TERM=xterm-sixel", sixel},
		{"WT_SESSION=x TERM=xterm-256color", sixel},
		{"TERM=tmux-256color KITTY_WINDOW_ID=1 TMUX=/tmp/x", ""},
		{"TERM=screen TERM_PROGRAM=iTerm.app", ""},
	} {
		env := func(name string) string {
			for _, word := range strings.Fields(c.env) {
				if value, ok := strings.CutPrefix(word, name+"="); ok {
					return value
				}
			}
			return ""
		}
		starts := ""
		if p := terminalProtocol(env); p != nil {
			var b bytes.Buffer
			if err := p(&b, patchwork()); err != nil {
				t.Fatal(err)
			}
			starts = b.String()[:min(len(c.starts), b.Len())]
			if c.starts == "" {
				starts = "something"
			}
		}
		if starts != c.starts {
			t.Errorf("%s: %q, want %q", c.env, starts, c.starts)
		}
		if protocolOf(new(bytes.Buffer), env) != nil {
			t.Errorf("%s: pictures go into a file", c.env)
		}
	}
}

func wantPNG(t *testing.T, what, text string) {
	t.Helper()
	b, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(what, err)
	}
	got, err := png.Decode(bytes.NewReader(b))
	if err != nil {
		t.Fatal(what, err)
	}
	if n, ok := got.(*image.NRGBA); !ok || !bytes.Equal(n.Pix, patchwork().Pix) {
		t.Errorf("%s: another picture", what)
	}
}

func TestKittyPicture(t *testing.T) {
	var b bytes.Buffer
	if err := kittyPicture(&b, patchwork()); err != nil {
		t.Fatal(err)
	}
	pieces := regexp.MustCompile(`\x1b_G([^;]*);([^\x1b]*)\x1b\\`).FindAllStringSubmatch(b.String(), -1)
	if len(pieces) < 2 {
		t.Fatalf("%d pieces", len(pieces))
	}
	text := ""
	for i, p := range pieces {
		want := "m=1"
		if i == 0 {
			want = "a=T,f=100,m=1"
		} else if i == len(pieces)-1 {
			want = "m=0"
		}
		if p[1] != want || len(p[2]) > 4096 || len(p[2])%4 != 0 {
			t.Errorf("piece %d: %q, %d letters", i, p[1], len(p[2]))
		}
		text += p[2]
	}
	wantPNG(t, "kitty", text)
}

func TestItermPicture(t *testing.T) {
	var b bytes.Buffer
	if err := itermPicture(&b, patchwork()); err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`^\x1b\]1337;File=inline=1;size=\d+;width=70px;height=40px:([^\a]*)\a\n$`).FindStringSubmatch(b.String())
	if m == nil {
		t.Fatalf("%.60q", b.String())
	}
	wantPNG(t, "iterm", m[1])
}

// TestSixelPicture reads the sixels back: each pixel has one of the two steps beside its colour, and what is transparent
// is not drawn.
func TestSixelPicture(t *testing.T) {
	var b bytes.Buffer
	m := patchwork()
	if err := sixelPicture(&b, m); err != nil {
		t.Fatal(err)
	}
	text, ok := strings.CutPrefix(b.String(), "\x1bP0;1q\"1;1;70;40")
	text, ok2 := strings.CutSuffix(text, "\x1b\\\n")
	if !ok || !ok2 {
		t.Fatalf("%.40q", b.String())
	}
	drawn := map[image.Point][3]int{}
	var palette [216][3]int
	x, top, color := 0, 0, 0
	for _, token := range regexp.MustCompile(`#\d+;2;\d+;\d+;\d+|#\d+|!\d+.|[$-]|[?-~]`).FindAllString(text, -1) {
		n, c := 1, token[0]
		switch c {
		case '$':
			x = 0
			continue
		case '-':
			x, top = 0, top+6
			continue
		case '#':
			var p [3]int
			if k, _ := fmt.Sscanf(token, "#%d;2;%d;%d;%d", &color, &p[0], &p[1], &p[2]); k == 4 {
				palette[color] = p
			}
			continue
		case '!':
			fmt.Sscanf(token, "!%d%c", &n, &c)
		}
		for range n {
			for k := range 6 {
				if (c-'?')>>k&1 != 0 {
					at := image.Pt(x, top+k)
					if _, twice := drawn[at]; twice {
						t.Fatalf("%v is drawn twice", at)
					}
					drawn[at] = palette[color]
				}
			}
			x++
		}
	}
	for y := range 40 {
		for x := range 70 {
			c, got := m.NRGBAAt(x, y), drawn[image.Pt(x, y)]
			_, ok := drawn[image.Pt(x, y)]
			if ok != (c.A > 0) {
				t.Fatalf("%d, %d: drawn %v", x, y, ok)
			}
			for k, v := range [...]uint8{c.R, c.G, c.B} {
				if d := float64(got[k]) - float64(v)/2.55; ok && (d > 20 || d < -20) {
					t.Fatalf("%d, %d: %v for %v", x, y, got, c)
				}
			}
		}
	}
}

func TestBackground(t *testing.T) {
	for text, want := range map[string]string{
		"": "[0 0 0 0] false", "checker": "[0 0 0 0] false", "none": "[255 255 255 0] true", "White": "[255 255 255 255] true",
		"#10a0FF": "[16 160 255 255] true", "#123": "error", "102030": "error", "#+12345": "error", "red": "error",
	} {
		c, plain, err := background(text)
		got := fmt.Sprint(c, plain)
		if err != nil {
			got = "error"
		}
		if got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}
