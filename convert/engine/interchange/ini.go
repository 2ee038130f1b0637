package interchange

import (
	"bytes"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/usher-assets/usher/convert/engine/formats"
	readcsv "github.com/usher-assets/usher/convert/exchange/csv"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"
)

// isINI reports whether a file is an INI as text; a compiled one has its signature.
func isINI(in *format.Input) bool {
	if !byExtension(".ini")(in) || bytes.HasPrefix(in.Head, []byte(freelancer.BINIMagic)) {
		return false
	}
	return marked(in.Head) || bytes.IndexByte(in.Head, 0) < 0
}

// marked reports whether a text begins with the mark of its encoding.
func marked(b []byte) bool {
	return slices.ContainsFunc([]string{"\ufeff", "\xff\xfe", "\xfe\xff"}, func(mark string) bool { return bytes.HasPrefix(b, []byte(mark)) })
}

// decodeINI reads the text of an INI file: as Windows-1252, as games do, unless a mark says otherwise.
func decodeINI(b []byte, env *format.Env) (*Item, error) {
	t := &asset.Text{Name: formats.Stem(env.Name), Extension: strings.ToLower(path.Ext(env.Name))}
	if marked(b) {
		t.Body, _ = readcsv.Text(b)
	} else {
		t.Body = schema.DecodeWindows1252(b)
		if len(t.Body) > len(b) && utf8.Valid(b) {
			env.Diagnostics.Notef("encoding", env.Name, "is read as Windows-1252, as the game does, and looks like UTF-8: a byte order mark at its beginning says so")
		}
	}
	if err := readSidecar(env, func(sc *sidecar) { t.Native = sc.Native }); err != nil {
		return nil, err
	}
	return &Item{Asset: t, Env: env}, nil
}

// encodeINI writes a text as an INI file: in Windows-1252, or with a mark in UTF-8 where that lacks a character.
func encodeINI(it *Item, name string) ([]format.File, error) {
	a, err := it.Lift()
	if err != nil {
		return nil, err
	}
	t, ok := a.(*asset.Text)
	if !ok {
		return nil, wrongKind("an INI file", it)
	}
	content, ok := schema.EncodeWindows1252(t.Body)
	if !ok {
		content = []byte("\ufeff" + t.Body)
	}
	return it.withSidecar([]format.File{{Name: name, Content: content}}, name, &sidecar{Native: t.Native})
}
