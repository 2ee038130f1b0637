package docs

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestHandler: pages and the places of fields are answered by name, with a policy that lets them have nothing but their looks.
func TestHandler(t *testing.T) {
	h := Handler()
	ask := func(path string) *http.Response {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		return w.Result()
	}
	for _, c := range []struct {
		path   string
		status int
		kind   string
	}{
		{"/formats/index.html", 200, "text/html"},
		{"/formats/ultima9.html", 200, "text/html"},
		{"/formats/format-u9-npc.html", 200, "text/html"},
		{"/formats/format-u9-npc.json", 200, "application/json"},
		{"/formats/", 404, ""},
		{"/formats/none.html", 404, ""},
	} {
		r := ask(c.path)
		if r.StatusCode != c.status || !strings.HasPrefix(r.Header.Get("Content-Type"), c.kind) {
			t.Errorf("%s: %d, %s", c.path, r.StatusCode, r.Header.Get("Content-Type"))
		}
		if p := r.Header.Get("Content-Security-Policy"); c.status == 200 && (!strings.Contains(p, "default-src 'none'") || strings.Contains(p, "script-src")) {
			t.Errorf("%s: %q", c.path, p)
		}
	}
	var known struct {
		Page   string
		Fields map[string]string
	}
	if err := json.NewDecoder(ask("/formats/format-u9-npc.json").Body).Decode(&known); err != nil {
		t.Fatal(err)
	}
	if known.Page != "format-u9-npc.html" || known.Fields["handle"] != "ultima9.html#11.1.handle" || len(known.Fields) < 10 {
		t.Errorf("%+v", known)
	}
}
