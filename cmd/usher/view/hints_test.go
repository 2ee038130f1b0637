package view

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"io"
	"net/http"
	"strings"
	"testing"
)

// TestNoFlags: where the command line names a flag that would help, the page names none: beside a picture, in what is told of a change, in errors.
func TestNoFlags(t *testing.T) {
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewNRGBA(image.Rect(0, 0, 3, 3))); err != nil {
		t.Fatal(err)
	}
	v, _, _ := newDeskOn(t, "show/heron.cmp", "ultimate3d/ball.u3d", "unreal/pictures.utx")
	ship := nodeOf(t, v, "heron.cmp", "")
	var drawn struct{ Why []string }
	getJSON(t, v, fmt.Sprintf("/api/camera/%d", ship), &drawn)
	if len(drawn.Why) != 1 || !strings.HasSuffix(drawn.Why[0], "nor in files of the model's name: 0xF1E55E64, 0x0F1000DC") {
		t.Errorf("beside the picture: %q", drawn.Why)
	}
	for _, c := range []struct {
		file, entry, name, content, want string
	}{
		{"ball.u3d", "", "ball.xyz", "nothing", "not recognised"},
		{"pictures.utx", "Walls.Board", "board.png", picture.String(), "size: 3 x 3 pixels: both sides must be powers of two"},
	} {
		r := send(v, fmt.Sprintf("/api/desk/put/%d?name=%s", nodeOf(t, v, c.file, c.entry), c.name), []byte(c.content), nil)
		b, err := io.ReadAll(r.Body)
		if got := strings.TrimSpace(string(b)); r.StatusCode == http.StatusOK || err != nil || !strings.HasSuffix(got, c.want) {
			t.Errorf("%s onto %s: %s %q, want %q", c.name, c.file, r.Status, got, c.want)
		}
	}
	lines := strings.SplitAfter(string(get(t, v, fmt.Sprintf("/api/save/%d/csv", ship))), "\n")
	table := strings.Replace(strings.Join(lines[:len(lines)-2], ""), "HpEngine01,fix,2.05", "HpEngine01,fix,2.5", 1)
	var done acted
	post(t, v, fmt.Sprintf("/api/desk/put/%d?name=heron.csv", ship), []byte(table), &done)
	if want := "warning: 1 hardpoint is not in the table and stays: HpRunningLight02"; len(done.Told) != 2 || done.Told[1] != want {
		t.Errorf("told %q, want %q", done.Told, want)
	}
}
