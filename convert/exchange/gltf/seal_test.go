package gltf

import (
	"strings"
	"testing"

	"github.com/usher-assets/usher/schema/asset"
)

// TestSeals: what somebody edited that is for reading only is named, wherever it stands; what may be edited is not.
func TestSeals(t *testing.T) {
	s := &asset.Scene{Native: &asset.Native{Format: "f", Values: map[string]any{"readonly": map[string]any{"id": 1.0}, "free": 2.0, "on": true}, Payload: []byte("abc")}, Extras: map[string]any{"x": 1.0}}
	n := asset.NewNode("n")
	n.Light = &asset.Light{Native: &asset.Native{Format: "l", Values: map[string]any{"readonly": map[string]any{"id": 3.0}}}}
	s.Roots = []*asset.Node{n}
	whole := encode(t, s, nil)
	light := func(doc map[string]any) map[string]any {
		return doc["extensions"].(map[string]any)[extLights].(map[string]any)["lights"].([]any)[0].(map[string]any)["extras"].(map[string]any)["usher"].(map[string]any)
	}
	for name, c := range map[string]struct {
		edit func(u, light map[string]any)
		want string
	}{
		"nothing":          {func(u, _ map[string]any) {}, ""},
		"a free value":     {func(u, _ map[string]any) { u["free"] = 3.0 }, ""},
		"a fixed value":    {func(u, _ map[string]any) { u["readonly"].(map[string]any)["id"] = 2.0 }, "scenes/0 extras-edited: extras.usher.readonly.id was edited"},
		"the format":       {func(u, _ map[string]any) { u["format"] = "g" }, "scenes/0 extras-edited: extras.usher.format was edited"},
		"a value gone":     {func(u, _ map[string]any) { delete(u, "free") }, "scenes/0 extras-edited: a value of extras.usher is gone, or has a name that usher did not write: there are on, readonly; what is gone"},
		"a value more":     {func(u, _ map[string]any) { u["more"] = 1.0 }, "there are free, more, on, readonly;"},
		"the text gone":    {func(u, _ map[string]any) { delete(u, "json") }, "there are free, readonly;"},
		"the text broken":  {func(u, _ map[string]any) { u["json"] = "{" }, "there are free, readonly;"},
		"the payload":      {func(u, _ map[string]any) { u["payload"] = deflated([]byte("xyz")) }, ""},
		"the payload gone": {func(u, _ map[string]any) { delete(u, "payload") }, "a value of extras.usher is gone"},
		"no seal":          {func(u, _ map[string]any) { delete(u, "check"); u["format"] = "g" }, ""},
		"a light's":        {func(_, light map[string]any) { light["readonly"].(map[string]any)["id"] = 2.0 }, "extensions/KHR_lights_punctual/lights/0 extras-edited: extras.usher.readonly.id was edited"},
	} {
		b := edited(t, whole, func(doc map[string]any) {
			c.edit(doc["scenes"].([]any)[0].(map[string]any)["extras"].(map[string]any)["usher"].(map[string]any), light(doc))
		})
		_, d := told(t, string(printable(b)), nil)
		var got []string
		for _, x := range saidBy(d) {
			if strings.Contains(x, "extras-edited") {
				got = append(got, x)
			}
		}
		if len(got) > 1 || (len(got) == 1) != (c.want != "") || c.want != "" && !strings.Contains(got[0], c.want) {
			t.Errorf("%s: said %q, want %q", name, got, c.want)
		}
	}
}

// TestEachRecord: usher's records are found from the innermost out, in lists as well, and nothing else is taken for one.
func TestEachRecord(t *testing.T) {
	v := record{"b": []any{record{"format": "1"}, record{"format": 2}}, "a": record{"asset": record{"x": []record{{"check": "3"}}, "asset": 4}, "c": 1}, "format": "5"}
	var got []string
	eachRecord(v, func(u record) {
		switch {
		case u["check"] != nil:
			got = append(got, "check")
		case isRecord(u["asset"]):
			got = append(got, "asset")
		default:
			got = append(got, text(u, "format"))
		}
	})
	equal(t, "records", got, []string{"check", "asset", "1", "5"})
}
