package gltf

import (
	"strings"
	"testing"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// TestLevelsOfOthers has levels of detail by MSFT_lod and by usher's records, with where they come to be.
func TestLevelsOfOthers(t *testing.T) {
	lod := func(ids string) string { return `"extensions":{"MSFT_lod":{"ids":[` + ids + `]}}` }
	own := func(values string) string { return `"extras":{"usher":{"asset":{` + values + `}}}` }
	const stays = "lod-place: node %s cannot be a level of detail of node %s and stays where it is"
	at := func(k, i string) string {
		return "nodes/" + i + " " + strings.Replace(strings.Replace(stays, "%s", k, 1), "%s", i, 1)
	}
	for _, c := range []struct {
		nodes string
		want  string
		said  []string
	}{
		{`{"name":"a",` + lod("1,2") + `},{"name":"b"},{"name":"c"}`, "a[b c]", nil},
		{`{"name":"a","children":[1],` + lod("1") + `},{"name":"b"}`, "a[b]", nil},
		{`{"name":"p","children":[1,3,2]},{"name":"a",` + lod("2") + `},{"name":"b"},{"name":"c"}`, "p(a[b] c)", nil},
		{`{"name":"p","children":[2]},{"name":"a",` + lod("2") + `},{"name":"b"}`, "p(b) a", []string{at("2", "1")}},
		{`{"name":"a","children":[1]},{"name":"b",` + lod("0") + `}`, "a(b)", []string{at("0", "1")}},
		{`{"name":"a",` + lod("0") + `}`, "a", []string{at("0", "0")}},
		{`{"name":"a",` + lod("2") + `},{"name":"b",` + lod("2") + `},{"name":"c"}`, "a[c] b", []string{at("2", "1")}},
		{`{"name":"a",` + lod("1") + `},{"name":"b",` + lod("0,2") + `},{"name":"c"}`, "a[b[c]]", []string{at("0", "1")}},
		{`{"name":"a"},{"name":"b",` + own(`"lodOf":"a"`) + `}`, "a[b]", nil},
		{`{"name":"b",` + own(`"lodOf":"a"`) + `},{"name":"a.001"}`, "a.001[b]", nil},
		{`{"name":"b",` + own(`"lodOf":"a"`) + `},{"name":"c"}`, "b c", nil},
		{`{"name":"a",` + own(`"lodOf":"a"`) + `},{"name":"c"}`, "a c", nil},
		{`{"name":"b",` + own(`"lodOf":"a"`) + `},{"name":"a.001",` + own(`"lodOf":"x"`) + `}`, "b a.001", nil},
		{`{"name":"x","children":[1]},{"name":"b",` + own(`"lodOf":"a","lodBelow":1`) + `},{"name":"a"}`, "x[b] a", nil},
		{`{"name":"x","children":[1]},{"name":"b",` + own(`"lodOf":"a"`) + `},{"name":"a"}`, "x(b) a", nil},
		{`{"name":"p","children":[1,2]},{"name":"b",` + own(`"lodOf":"a"`) + `},{"name":"a"}`, "p(a[b])", nil},
		{`{"name":"b","children":[1],` + own(`"lodOf":"a"`) + `},{"name":"c",` + own(`"lodOf":"a","lodBelow":1`) + `},{"name":"a"}`, "a[b(c)]", nil},
	} {
		s, d := told(t, document(`"nodes":[`+c.nodes+`]`), nil)
		got := names(s.Roots)
		if list := saidBy(d); got != c.want || strings.Join(list, "; ") != strings.Join(c.said, "; ") {
			t.Errorf("%s: %s, want %s; said %q", c.nodes, got, c.want, list)
		}
	}
	s, _ := told(t, document(`"nodes":[{"translation":[1,2,3],"scale":[2,2,2],"children":[1],`+lod("1")+`},{"translation":[1,0,0]}]`), nil)
	equal(t, "in the space of its part", s.Roots[0].LODs[0].Transform, asset.Transform{Translation: [3]float32{3, 2, 3}, Rotation: [4]float32{0, 0, 0, 1}, Scale: [3]float32{2, 2, 2}})
	required := `"extensionsRequired":["MSFT_lod"],`
	holdRefused(t, nil, refused{document(required + `"nodes":[{"name":"a",` + lod("1") + `},{"name":"b"},{"name":"c",` + own(`"lodOf":"a"`) + `}]`), schema.ErrMismatch, "nodes/0/extensions/MSFT_lod: node 1 is no level of detail of this one"},
		refused{document(required + `"nodes":[{"name":"a",` + lod("2") + `},{"name":"b"},{"name":"c",` + own(`"lodOf":"b"`) + `}]`), schema.ErrMismatch, "node 2 is no level of detail of this one"})
}
