package gltf

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/usher-assets/usher/schema"
)

// refused is a document that is no scene, with the class of the error and what its text holds.
type refused struct {
	json  string
	class error
	want  string
}

// holdRefused decodes documents beside a binary chunk.
func holdRefused(t *testing.T, bin []byte, list ...refused) {
	t.Helper()
	for _, c := range list {
		if _, err := Decode(glb(c.json, bin), nil, nil); schema.Class(err) != c.class || !strings.Contains(fmt.Sprint(err), c.want) {
			t.Errorf("%s: %v, want %v with %q", c.json, err, c.class, c.want)
		}
	}
}

// said decodes a document that is accepted, and returns what was said.
func said(t *testing.T, json string, bin []byte) []string {
	t.Helper()
	_, d := told(t, json, bin)
	return saidBy(d)
}

// TestNulls: there is no null in any list of objects.
func TestNulls(t *testing.T) {
	for list, one := range map[string]string{"accessors": `{"componentType":5126,"count":1,"type":"VEC3"}`, "animations": `{}`, "buffers": `{}`, "bufferViews": `{}`, "cameras": `{"type":"perspective","perspective":{}}`, "images": `{}`,
		"materials": `{}`, "meshes": `{"primitives":[{"attributes":{"_X":0}}]}`, "nodes": `{}`, "samplers": `{}`, "scenes": `{}`, "skins": `{"joints":[0]}`, "textures": `{}`} {
		holdRefused(t, nil, refused{document(`"` + list + `":[null]`), schema.ErrValue, list + "/0: null"}, refused{document(`"` + list + `":[` + one + `,null]`), schema.ErrValue, list + "/1: null"})
	}
	holdRefused(t, nil,
		refused{document(`"meshes":[{"primitives":[{"attributes":{"_X":0}}]},{"primitives":[{"attributes":{"_X":0}},null]}]`), schema.ErrValue, "meshes/1/primitives/1: null"},
		refused{document(`"animations":[{"channels":[null]}]`), schema.ErrValue, "animations/0/channels/0: null"},
		refused{document(`"animations":[{"channels":[],"samplers":[]},{"channels":[],"samplers":[null]}]`), schema.ErrValue, "animations/1/samplers/0: null"})
}

// TestNotRead: what is wrong with JSON that is not read.
func TestNotRead(t *testing.T) {
	holdRefused(t, nil,
		refused{`{"asset":{"version":1}}`, schema.ErrUnsupported, `"1", only 2.x is known`},
		refused{`{"asset":{"version":1.1}}`, schema.ErrUnsupported, `"1.1", only 2.x is known`},
		refused{`{"asset":{"version":3}}`, schema.ErrValue, "asset/version: number is not expected there"},
		refused{`{"asset":{"version":"3.0"}}`, schema.ErrUnsupported, `"3.0", only 2.x is known`},
		refused{`{"asset":{"version":"2"}}`, schema.ErrUnsupported, `"2", only 2.x is known`},
		refused{document(`"nodes":{}`), schema.ErrValue, "nodes: object is not expected there"},
		refused{`{"asset":}`, schema.ErrValue, "invalid character"},
		refused{`{"asset":{"version":"2.0"}`, schema.ErrTruncated, "unexpected end"})
}

// TestURIs: what paths URIs stand for, and what data.
func TestURIs(t *testing.T) {
	for uri, want := range map[string]string{"a b.bin": "a b.bin", "a%20b": "a b", "../x": "../x", "100%.png": "100%.png", "sub/a:b": "sub/a:b", "x?y:z": "x?y:z", "x#y:z": "x#y:z", ":x": ":x", "/x": "/x",
		"//host/x": "error", "http://x": "error", "C:x": "error", "data:,x": "error"} {
		got, err := relative(uri)
		if err != nil {
			got = "error"
		}
		if got != want {
			t.Errorf("%s: %q, want %q", uri, got, want)
		}
	}
	for uri, want := range map[string]string{"text/plain,a%20b": "a b", ";base64,AAEC": "\x00\x01\x02", "x;base64,AA==": "\x00", ";base64,AA": "\x00", ",": "", ";base64": "error", ",%zz": "error", ";base64,?": "error"} {
		got, err := dataURI(uri)
		if err != nil {
			got = []byte("error")
		}
		if string(got) != want {
			t.Errorf("%s: %q, want %q", uri, got, want)
		}
	}
}

// TestBuffers: where the bytes of buffers come from, and how many of them there are.
func TestBuffers(t *testing.T) {
	const rest = `"bufferViews":[{"buffer":%d,"byteLength":12}],"accessors":[{"bufferView":0,"componentType":5126,"count":1,"type":"VEC3"}],"meshes":[{"primitives":[{"mode":0,"attributes":{"POSITION":0}}]}]`
	find := func(name string) ([]byte, error) {
		if name == "two.bin" {
			return data([]float64{2, 2, 2, 2}), nil
		}
		return nil, errors.New("no such file")
	}
	for _, c := range []struct {
		buffers string
		of      int
		want    float32 // 0 for an error
		text    string
	}{
		{`{"byteLength":12}`, 0, 1, ""},
		{`{"byteLength":16,"uri":"two.bin"}`, 0, 2, ""},
		{`{"byteLength":12},{"byteLength":16,"uri":"two.bin"}`, 1, 2, ""},
		{`{"byteLength":16,"uri":"two.bin"},{"byteLength":12}`, 1, 0, "buffers/1/uri"},
		{`{"byteLength":11,"uri":"two.bin"}`, 0, 0, "bufferViews/0: bytes 0 + 12 of 11"},
		{`{"byteLength":17,"uri":"two.bin"}`, 0, 0, "17 bytes declared, 16 present"},
		{`{"byteLength":-1,"uri":"two.bin"}`, 0, 0, "-1 bytes declared"},
		{`{"byteLength":16,"uri":"three.bin"}`, 0, 0, `"three.bin": no such file`},
	} {
		s, err := Decode(glb(document(`"buffers":[`+c.buffers+`],`+fmt.Sprintf(rest, c.of)), data([]float64{1, 1, 1, 1})), find, nil)
		if c.want == 0 {
			if !strings.Contains(fmt.Sprint(err), c.text) {
				t.Errorf("%s: %v, want %q", c.buffers, err, c.text)
			}
		} else if err != nil || s.Meshes[0].Primitives[0].Positions[0] != [3]float32{c.want, c.want, c.want} {
			t.Errorf("%s: %v", c.buffers, err)
		}
	}
	_, err := Decode([]byte(document(`"buffers":[{"byteLength":16,"uri":"two.bin"}],`+fmt.Sprintf(rest, 0))), nil, nil)
	if schema.Class(err) != schema.ErrTruncated || !strings.Contains(err.Error(), `"two.bin" is another file, and there is no place to look for it`) {
		t.Errorf("nobody finds files: %v", err)
	}
	if _, err := Decode([]byte(" \n[]"), nil, nil); schema.Class(err) != schema.ErrBadMagic {
		t.Errorf("a list: %v", err)
	}
}
