package view

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/usher-assets/usher/testdata/corpus"
)

// newDeskOn returns a viewer that may write, of copies of files of testdata, and a token to write with.
func newDeskOn(t testing.TB, files ...string) (v *Viewer, dir, token string) {
	t.Helper()
	dir = t.TempDir()
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(f)), corpus.Bytes(t, corpus.Testdata(t, filepath.FromSlash(f))), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return openDesk(t, dir), dir, ""
}

func openDesk(t testing.TB, dir string) *Viewer {
	t.Helper()
	v, err := New(Config{Operands: []string{dir}, Desk: &Desk{Exports: filepath.Join(dir, "out")}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(v.Close)
	v.Scan(context.Background())
	v.OpenAll(context.Background())
	v.desk.find(context.Background())
	return v
}

// send posts what the page would.
func send(v *Viewer, target string, body []byte, change func(*http.Request)) *http.Response {
	r := httptest.NewRequest(http.MethodPost, target, bytes.NewReader(body))
	r.Host = fmt.Sprintf("127.0.0.1:%d", testPort)
	r.Header.Set("Origin", "http://"+r.Host)
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	r.Header.Set(writeHeader, v.desk.writers.make())
	r.AddCookie(&http.Cookie{Name: fmt.Sprintf("usher-%d", testPort), Value: testToken})
	if change != nil {
		change(r)
	}
	w := httptest.NewRecorder()
	v.Handler(testPort, testToken).ServeHTTP(w, r)
	return w.Result()
}

// post sends what is to succeed.
func post(t testing.TB, v *Viewer, target string, body []byte, value any) {
	t.Helper()
	r := send(v, target, body, nil)
	b, err := io.ReadAll(r.Body)
	if err != nil || r.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s %s %v", target, r.Status, b, err)
	}
	if value != nil {
		if err := json.Unmarshal(b, value); err != nil {
			t.Fatal(err)
		}
	}
}

// nodeOf returns the number of the node that is called so.
func nodeOf(t testing.TB, v *Viewer, file, inside string) int {
	t.Helper()
	if id := v.nodeAt(0, file, ""); inside == "" && id >= 0 {
		return id
	} else if id >= 0 {
		if id := v.entryAt(id, inside); id >= 0 {
			return id
		}
	}
	t.Fatalf("there is no %s:%s", file, inside)
	return -1
}

// changedWords returns in words what was changed of a file.
func changedWords(t testing.TB, v *Viewer, name string) (list []string) {
	t.Helper()
	var state DeskState
	getJSON(t, v, "/api/desk", &state)
	for _, f := range state.Files {
		for _, c := range f.Changes {
			if f.Name == name {
				list = append(list, c.What)
			}
		}
	}
	return list
}

// TestDeskTranslations: the lines of a file go out for translators, and come back.
func TestDeskTranslations(t *testing.T) {
	v, _, _ := newDeskOn(t, "unreal/hall.int")
	id := nodeOf(t, v, "hall.int", "")
	const source = "msgid \"Café\"\nmsgstr \"\""
	po := string(get(t, v, fmt.Sprintf("/api/save/%d/po", id)))
	if exported := string(get(t, v, fmt.Sprintf("/api/desk/export?nodes=%d&as=po", id))); !strings.Contains(po, source) || exported != po {
		t.Fatalf("%q, exported %q", po, exported)
	}
	post(t, v, fmt.Sprintf("/api/desk/put/%d?name=hall.po", id), []byte(strings.Replace(po, source, strings.Replace(source, `""`, `"Kaffee"`, 1), 1)), nil)
	if now := string(get(t, v, fmt.Sprintf("/api/table/%d", id))); !strings.Contains(now, "Kaffee") || strings.Contains(now, "Café") || !strings.Contains(now, "A lamp") {
		t.Errorf("%q", now)
	}
	if got := changedWords(t, v, "hall.int"); !slices.Equal(got, []string{"replace the file: hall.po"}) {
		t.Errorf("the changes are %q", got)
	}
}

// TestBriefly: a value is read in a line with others.
func TestBriefly(t *testing.T) {
	for value, want := range map[string]string{"": "nothing", "0.25": "0.25", strings.Repeat("ä", 40): strings.Repeat("ä", 40), strings.Repeat("ä", 41): strings.Repeat("ä", 40) + "…"} {
		if got := briefly(value); got != want {
			t.Errorf("%q: %q, want %q", value, got, want)
		}
	}
}

// everyPost are the addresses that write, of one node.
func (v *Viewer) everyPost(id int) (list []string) {
	for name := range v.desk.posts() {
		list = append(list, "/api/desk/"+strings.Replace(name, "{id}", strconv.Itoa(id), 1))
	}
	return list
}

// TestDeskGuard: nobody writes but the page of this server with a token of its own, whatever it asks for; the page that only
// looks writes nothing at all.
func TestDeskGuard(t *testing.T) {
	v, dir, _ := newDeskOn(t, "unreal/pictures.utx")
	looks := newViewer(t, dir)
	before := corpus.Bytes(t, filepath.Join(dir, "pictures.utx"))
	id := nodeOf(t, v, "pictures.utx", "Walls.Board")
	header := func(name, value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(name, value) }
	}
	own := fmt.Sprintf("http://127.0.0.1:%d", testPort)
	wrong := map[string]func(*http.Request){
		"no token":            func(r *http.Request) { r.Header.Del(writeHeader) },
		"an empty token":      header(writeHeader, ""),
		"another token":       header(writeHeader, NewToken()),
		"the token to read":   header(writeHeader, testToken),
		"no cookie":           header("Cookie", ""),
		"a wrong cookie":      header("Cookie", fmt.Sprintf("usher-%d=wrong", testPort)),
		"no origin":           func(r *http.Request) { r.Header.Del("Origin") },
		"another origin":      header("Origin", "http://evil.example"),
		"another port":        header("Origin", "http://127.0.0.1:80"),
		"a file":              header("Origin", "null"),
		"https":               header("Origin", strings.Replace(own, "http", "https", 1)),
		"another name of it":  header("Origin", fmt.Sprintf("http://localhost:%d", testPort)),
		"another site":        header("Sec-Fetch-Site", "cross-site"),
		"a site beside":       header("Sec-Fetch-Site", "same-site"),
		"another host":        func(r *http.Request) { r.Host = "evil.example"; r.Header.Set("Origin", "http://evil.example") },
		"a host without port": func(r *http.Request) { r.Host = "127.0.0.1"; r.Header.Set("Origin", "http://127.0.0.1") },
		"PUT":                 func(r *http.Request) { r.Method = http.MethodPut },
		"DELETE":              func(r *http.Request) { r.Method = http.MethodDelete },
		"PATCH":               func(r *http.Request) { r.Method = http.MethodPatch },
		"GET":                 func(r *http.Request) { r.Method = http.MethodGet },
	}
	n := 0
	for _, target := range v.everyPost(id) {
		for name, change := range wrong {
			if n++; name == "GET" && strings.HasSuffix(target, "/export") {
				continue // a download
			}
			if r := send(v, target+"?name=a.png&path=x&to=y", nil, change); r.StatusCode != http.StatusForbidden && r.StatusCode != http.StatusMethodNotAllowed && r.StatusCode != http.StatusNotFound {
				t.Errorf("%s with %s: %s", target, name, r.Status)
			} else if b, _ := io.ReadAll(r.Body); strings.HasSuffix(name, "token") && !strings.Contains(string(b), "only looks") {
				t.Errorf("%s with %s is refused for another reason: %s", target, name, b)
			}
		}
		r := ask(looks, http.MethodPost, target, func(r *http.Request) { r.Header.Set("Origin", own); r.Header.Set(writeHeader, NewToken()) })
		if r.StatusCode != http.StatusMethodNotAllowed {
			t.Errorf("%s where nothing is written: %s", target, r.Status)
		}
	}
	corpus.SameBytes(t, "the file", corpus.Bytes(t, filepath.Join(dir, "pictures.utx")), before)
	if list, _ := os.ReadDir(dir); len(list) != 1 {
		t.Errorf("%d files", len(list))
	}
	t.Logf("%d requests", n)
}

// TestDeskEnter: the first page gets a ticket behind the # of its address, and for that a token, once.
func TestDeskEnter(t *testing.T) {
	v, _, _ := newDeskOn(t, "unreal/pictures.utx")
	r := ask(v, http.MethodGet, "/?token="+testToken, func(r *http.Request) { r.Header.Del("Cookie") })
	b, _ := io.ReadAll(r.Body)
	_, rest, ok := strings.Cut(string(b), `url=/#w=`)
	ticket, _, _ := strings.Cut(rest, `"`)
	if !ok || len(ticket) != 43 {
		t.Fatalf("%s", b)
	}
	enter := func() (int, string) {
		r := send(v, "/api/desk/enter?ticket="+ticket, nil, func(r *http.Request) { r.Header.Del(writeHeader) })
		var got struct{ Token string }
		_ = json.NewDecoder(r.Body).Decode(&got)
		return r.StatusCode, got.Token
	}
	code, token := enter()
	if code != http.StatusOK || !v.desk.writers.has(token) || token == ticket || token == testToken {
		t.Errorf("%d %q", code, token)
	}
	if code, token := enter(); code != http.StatusForbidden || token != "" {
		t.Errorf("again: %d %q", code, token)
	}
	var s DeskState
	getJSON(t, v, "/api/desk", &s)
	if s.Writes {
		t.Error("a page without the token is told that it writes")
	}
}

// editedPicture returns the picture of a node with another pixel.
func editedPicture(t testing.TB, v *Viewer, id int) []byte {
	t.Helper()
	m, err := png.Decode(bytes.NewReader(get(t, v, fmt.Sprintf("/api/save/%d/png", id))))
	p, ok := m.(*image.Paletted)
	if err != nil || !ok {
		t.Fatalf("%T, %v", m, err)
	}
	p.Pix[0] = uint8((int(p.Pix[0]) + 1) % len(p.Palette))
	var out bytes.Buffer
	if err := png.Encode(&out, p); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestDesk: a picture is put onto another entry, shown at once, compared, taken back and saved; the original stays as it is.
func TestDesk(t *testing.T) {
	v, dir, _ := newDeskOn(t, "unreal/pictures.utx")
	path := filepath.Join(dir, "pictures.utx")
	before := corpus.Bytes(t, path)
	board := nodeOf(t, v, "pictures.utx", "Walls.Board")
	old := get(t, v, fmt.Sprintf("/api/image/%d", board))
	var done struct{ Change string }
	post(t, v, fmt.Sprintf("/api/desk/put/%d?name=new.png", board), editedPicture(t, v, board), &done)
	if now := get(t, v, fmt.Sprintf("/api/image/%d", board)); bytes.Equal(now, old) {
		t.Error("the picture is not the new one")
	}
	var s DeskState
	getJSON(t, v, "/api/desk", &s)
	if len(s.Files) != 1 || len(s.Files[0].Changes) != 1 || s.Files[0].Changes[0].ID != done.Change || s.Files[0].Changes[0].Node != board || s.Files[0].Saved {
		t.Fatalf("%+v", s)
	}
	var c Change
	getJSON(t, v, "/api/desk/change/"+done.Change, &c)
	if c.Status != "changed" || c.New != board || c.Show != "picture" || len(c.Details) == 0 || c.Heat == "" {
		t.Errorf("%+v", c)
	}
	if was := get(t, v, fmt.Sprintf("/api/image/%d", c.Old)); !bytes.Equal(was, old) {
		t.Error("the picture before is another one")
	}
	get(t, v, "/"+c.Heat)
	post(t, v, fmt.Sprintf("/api/desk/undo/%d", board), nil, nil)
	if now := get(t, v, fmt.Sprintf("/api/image/%d", board)); !bytes.Equal(now, old) {
		t.Error("the change is still there")
	}
	post(t, v, fmt.Sprintf("/api/desk/redo/%d", board), nil, nil)
	var saved Saved
	post(t, v, fmt.Sprintf("/api/desk/save/%d", board), []byte(`{}`), &saved)
	if saved.Path != filepath.Join(dir, "pictures.new.utx") || saved.Exist {
		t.Fatalf("%+v", saved)
	}
	corpus.SameBytes(t, "the original", corpus.Bytes(t, path), before)
	post(t, v, fmt.Sprintf("/api/desk/save/%d", board), []byte(`{}`), &saved)
	if !saved.Exist {
		t.Error("it is written over without a question")
	}
	post(t, v, fmt.Sprintf("/api/desk/save-patch/%d", board), []byte(`{}`), &saved)
	if _, err := os.Stat(filepath.Join(dir, "pictures.utx.patch", "usher.json")); err != nil {
		t.Error(err)
	}
	post(t, v, fmt.Sprintf("/api/desk/save/%d", board), []byte(`{"over":true,"force":true}`), &saved)
	corpus.SameBytes(t, "saved over", corpus.Bytes(t, path), corpus.Bytes(t, filepath.Join(dir, "pictures.new.utx")))
	post(t, v, fmt.Sprintf("/api/desk/restore/%d", board), nil, nil)
	corpus.SameBytes(t, "brought back", corpus.Bytes(t, path), before)
	for _, name := range []string{"../x.utx", "a/b.utx", ".usher-lock", "", "nul", `..\x.utx`} {
		if name == "" {
			continue
		}
		body, _ := json.Marshal(map[string]string{"name": name})
		post(t, v, fmt.Sprintf("/api/desk/put/%d?name=new.png", board), editedPicture(t, v, board), nil)
		if r := send(v, fmt.Sprintf("/api/desk/save/%d", board), body, nil); r.StatusCode == http.StatusOK {
			t.Errorf("saved as %q", name)
		}
		post(t, v, fmt.Sprintf("/api/desk/undo/%d", board), nil, nil)
	}
}

// TestDeskVerbs: entries are added, renamed and removed, texts and cells edited; each shows at once.
func TestDeskVerbs(t *testing.T) {
	v, _, _ := newDeskOn(t, "unreal/pictures.utx", "ultima9/sdInfo16.flx", "ultima9/lanterns.book", "freelancer/ship.cmp")
	board := nodeOf(t, v, "pictures.utx", "Walls.Board")
	png := editedPicture(t, v, board)
	post(t, v, fmt.Sprintf("/api/desk/add/%d?name=door.png&path=Walls.Door", nodeOf(t, v, "pictures.utx", "")), png, nil)
	post(t, v, fmt.Sprintf("/api/desk/rename/%d?to=Walls.Gate", nodeOf(t, v, "pictures.utx", "Walls.Door")), nil, nil)
	post(t, v, fmt.Sprintf("/api/desk/remove/%d", nodeOf(t, v, "pictures.utx", "Walls.Holes")), nil, nil)
	get(t, v, fmt.Sprintf("/api/image/%d", nodeOf(t, v, "pictures.utx", "Walls.Gate")))
	if v.entryAt(nodeOf(t, v, "pictures.utx", ""), "Walls.Holes") >= 0 {
		t.Error("what was removed is still there")
	}
	ship := nodeOf(t, v, "ship.cmp", "")
	var table struct {
		Columns []string
		Rows    [][]string
	}
	getJSON(t, v, fmt.Sprintf("/api/numbers/%d", ship), &table)
	if len(table.Rows) != 2 || table.Columns[3] != "x" || table.Rows[0][3] != "0" {
		t.Fatalf("%v", table)
	}
	post(t, v, fmt.Sprintf("/api/desk/cells/%d", ship), []byte(`[{"row":0,"column":3,"value":"1.5"}]`), nil)
	getJSON(t, v, fmt.Sprintf("/api/numbers/%d", ship), &table)
	if table.Rows[0][3] != "1.5" {
		t.Errorf("%v", table)
	}
	if got := changedWords(t, v, "ship.cmp"); !slices.Equal(got, []string{"edit the file: x in row 1, 0 → 1.5"}) {
		t.Errorf("the changes are %q", got)
	}
	for _, cells := range []string{`[{"row":9,"column":3,"value":"1"}]`, `[{"row":0,"column":-1,"value":"1"}]`, `[{"row":0,"column":3,"value":"wide"}]`, `{`} {
		r := send(v, fmt.Sprintf("/api/desk/cells/%d", ship), []byte(cells), nil)
		if b, _ := io.ReadAll(r.Body); r.StatusCode != http.StatusUnprocessableEntity || len(b) < 10 {
			t.Errorf("%s: %s %s", cells, r.Status, b)
		}
	}
	book := nodeOf(t, v, "lanterns.book", "")
	text := strings.Replace(string(get(t, v, fmt.Sprintf("/api/text/%d", book))), "e", "o", 1)
	ext := ""
	var f Facts
	getJSON(t, v, fmt.Sprintf("/api/node/%d", book), &f)
	for _, s := range f.Saves {
		if s.As != "stored" && s.As != "json" {
			ext = s.As
		}
	}
	post(t, v, fmt.Sprintf("/api/desk/put/%d?name=edited.%s", book, ext), []byte(text), nil)
	if now := string(get(t, v, fmt.Sprintf("/api/text/%d", book))); now != text {
		t.Errorf("%q, want %q", now, text)
	}
}

// TestDeskAgain: a desk that was killed finds its changes; a second one is told who writes.
func TestDeskAgain(t *testing.T) {
	v, dir, _ := newDeskOn(t, "unreal/pictures.utx")
	board := nodeOf(t, v, "pictures.utx", "Walls.Board")
	post(t, v, fmt.Sprintf("/api/desk/put/%d?name=new.png", board), editedPicture(t, v, board), nil)
	now := get(t, v, fmt.Sprintf("/api/image/%d", board))
	second := openDesk(t, dir)
	var s DeskState
	getJSON(t, second, "/api/desk", &s)
	if len(s.Files) != 1 || !strings.Contains(s.Files[0].Trouble, "in use") {
		t.Errorf("%+v", s)
	}
	r := send(second, fmt.Sprintf("/api/desk/remove/%d", board), nil, nil)
	if b, _ := io.ReadAll(r.Body); r.StatusCode == http.StatusOK || !strings.Contains(string(b), "another desk") {
		t.Errorf("%s %s", r.Status, b)
	}
	v.desk.close()
	third := openDesk(t, dir)
	s = DeskState{}
	getJSON(t, third, "/api/desk", &s)
	if len(s.Files) != 1 || len(s.Files[0].Changes) != 1 || s.Files[0].Trouble != "" {
		t.Errorf("%+v", s)
	}
	if again := get(t, third, fmt.Sprintf("/api/image/%d", nodeOf(t, third, "pictures.utx", "Walls.Board"))); !bytes.Equal(again, now) {
		t.Error("the change is not shown")
	}
}

// TestDeskExport: one file comes as it is, several as a ZIP, and into the folder that was named without replacing any.
func TestDeskExport(t *testing.T) {
	v, dir, _ := newDeskOn(t, "unreal/pictures.utx")
	file, board := nodeOf(t, v, "pictures.utx", ""), nodeOf(t, v, "pictures.utx", "Walls.Board")
	if b := get(t, v, fmt.Sprintf("/api/desk/export?nodes=%d", board)); !bytes.HasPrefix(b, []byte("\x89PNG")) {
		t.Errorf("%q", b[:8])
	}
	if b := get(t, v, fmt.Sprintf("/api/desk/export?nodes=%d&kind=texture", file)); !bytes.HasPrefix(b, []byte("PK")) {
		t.Errorf("%q", b[:8])
	}
	var done Exports
	body := []byte(fmt.Sprintf(`{"nodes":"%d","kind":"texture"}`, file))
	post(t, v, "/api/desk/export", body, &done)
	if done.Files != 2 || len(done.Wrong) != 0 || done.Folder != filepath.Join(dir, "out") {
		t.Errorf("%+v", done)
	}
	post(t, v, "/api/desk/export", body, &done)
	if len(done.Wrong) != 2 {
		t.Errorf("%+v", done)
	}
}

// TestDeskOpen: a file that is dropped is copied into the folder that is shown, under its own name alone; one that is there
// already is meant, and another one of that name is left alone.
func TestDeskOpen(t *testing.T) {
	v, dir, _ := newDeskOn(t, "unreal/pictures.utx")
	pictures, ball := corpus.Bytes(t, filepath.Join(dir, "pictures.utx")), corpus.Bytes(t, corpus.Testdata(t, "ultimate3d", "ball.u3d"))
	var done struct{ Node int }
	post(t, v, "/api/desk/open?name=pictures.utx", pictures, &done)
	if done.Node != nodeOf(t, v, "pictures.utx", "") {
		t.Errorf("node %d", done.Node)
	}
	post(t, v, "/api/desk/open?name=ball.u3d", ball, &done)
	if done.Node != nodeOf(t, v, "ball.u3d", "") {
		t.Errorf("node %d", done.Node)
	}
	if r := send(v, "/api/desk/open?name=pictures.utx", ball, nil); r.StatusCode == http.StatusOK {
		t.Error("another file takes its place")
	}
	corpus.SameBytes(t, "the file", corpus.Bytes(t, filepath.Join(dir, "pictures.utx")), pictures)
	for _, name := range []string{"../up.u3d", "/etc/up.u3d", `..\up.u3d`, "..", ".", ".usher-desk", "a/b/c.u3d"} {
		send(v, "/api/desk/open?name="+name, ball, nil)
	}
	above, err := os.ReadDir(filepath.Dir(dir))
	if err != nil || len(above) != 1 {
		t.Errorf("%d things beside the folder, %v", len(above), err)
	}
	if _, err := os.Stat("/etc/up.u3d"); err == nil {
		t.Error("a path was followed")
	}
}
