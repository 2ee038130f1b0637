package convert_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/engine/interchange"
	"github.com/usher-assets/usher/convert/exchange/gltf"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/testdata/corpus"
)

// model is one that people may edit: a file, or an entry of an archive.
type model struct {
	f       *format.Format
	name    string
	path    string
	own     bool   // of testdata: it is there on every machine
	stored  []byte // what f reads
	archive []byte // the file around the entry; nil for a model that is a file
	holder  *format.Format
	entry   string

	show    *gltf.Show // what its GLB shows
	glb     []byte
	made    map[bool]map[string][]byte // beside it when nothing is edited, by whether it is converted away from the folder
	usual   map[string]bool
	usually map[string]bool // of a conversion away from the folder
}

// near is the folder of a model, with files that were made beside a result before it.
type near struct {
	made map[string][]byte
	next format.Files
}

func (n near) Find(names ...string) ([]byte, string, error) {
	for _, name := range names {
		if b, ok := n.made[strings.ToLower(path.Base(name))]; ok {
			return b, name, nil
		}
	}
	if n.next == nil {
		return nil, "", fs.ErrNotExist
	}
	return n.next.Find(names...)
}

// env is what a conversion of the model may look at.
func (m *model) env(made map[string][]byte, away bool, d *schema.Diagnostics) *format.Env {
	env := new(engine.Loader).Env(m.path, d)
	if env.Files = (near{made, env.Files}); away {
		env.Files = near{made: made}
	}
	return env
}

// open returns the archive around the model and the number of its entry.
func (m *model) open(file []byte, env *format.Env) (format.ArchiveFile, int, error) {
	a, err := m.holder.Open(bytes.NewReader(file), int64(len(file)), env)
	if err != nil {
		return nil, 0, err
	}
	i := slices.IndexFunc(a.Entries(), func(e format.Entry) bool { return e.Path == m.entry })
	if i < 0 {
		return nil, 0, fmt.Errorf("no entry %s", m.entry)
	}
	return a, i, nil
}

// shown turns a native model into a GLB.
func (m *model) shown(native []byte, made map[string][]byte, d *schema.Diagnostics) ([]byte, *asset.Scene, error) {
	env, f := m.env(made, false, d), m.f
	if m.archive != nil {
		a, i, err := m.open(native, env)
		if err != nil {
			return nil, nil, err
		}
		if native, err = a.Payload(i); err != nil {
			return nil, nil, err
		}
		f = a.Entries()[i].Format.Of(i, native)
		env.Archive, env.Entry = a, m.entry
	}
	v, err := f.Read(native, nil)
	if err != nil {
		return nil, nil, err
	}
	env.Stored = native
	x, err := f.Lift(v, env)
	if err != nil {
		return nil, nil, err
	}
	s, ok := x.(*asset.Scene)
	if !ok {
		return nil, nil, fmt.Errorf("no scene")
	}
	var w bytes.Buffer
	if err := gltf.Encode(&w, s, gltf.Options{Show: m.show}); err != nil {
		return nil, nil, err
	}
	return w.Bytes(), s, nil
}

// native turns a GLB back, as "convert" does with a file and "pack" with an entry. It returns the whole file, and the
// files made beside it. The original of an entry is always at hand, that of a file when base says so.
func (m *model) native(glb []byte, away, base bool, d *schema.Diagnostics) (native []byte, made map[string][]byte, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("PANIC: %v", r)
		}
	}()
	made = map[string][]byte{}
	env, f := m.env(nil, away && m.archive == nil, d), m.f // an archive is put together where it lies
	env.Output = strings.TrimSuffix(filepath.Base(m.path), filepath.Ext(m.path))
	env.Emit = func(name string, content []byte) error {
		made[strings.ToLower(path.Base(name))] = content
		return nil
	}
	var a format.ArchiveFile
	var i int
	if m.archive != nil {
		if a, i, err = m.open(m.archive, env); err != nil {
			return nil, nil, err
		}
		f = a.Entries()[i].Format.Of(i, m.stored)
		env.Archive, env.Entry, env.Emit = a, m.entry, nil
	}
	original := interchange.OriginalOf(f, m.stored, env)
	lift := func() (*asset.Scene, error) {
		x, err := original.Lift()
		if err != nil {
			return nil, err
		}
		return x.(*asset.Scene), nil
	}
	var s *asset.Scene
	if base = base || a != nil; base {
		s, err = gltf.DecodeOnto(glb, nil, lift, d)
	} else {
		s, err = gltf.Decode(glb, nil, d)
	}
	if err != nil {
		return nil, nil, err
	}
	if err := s.LoadAll(); err != nil {
		return nil, nil, err
	}
	if !base {
		original = nil
	}
	b, err := engine.LowerOnto(f, original, &interchange.Item{Asset: s, Env: env}, env)
	if err != nil || a == nil {
		return b, made, err
	}
	if err := a.Replace(i, b); err != nil {
		return nil, nil, err
	}
	var w bytes.Buffer
	_, err = a.WriteTo(&w)
	return w.Bytes(), made, err
}

// original is the file as it was.
func (m *model) original() []byte {
	if m.archive != nil {
		return m.archive
	}
	return m.stored
}

// prepare makes the GLB of a model and learns what is said of it when nothing is edited. It fails for what is no scene,
// or does not come back as it was.
func (m *model) prepare() error {
	b, _, err := m.shown(m.original(), nil, nil)
	if err != nil {
		return err
	}
	m.glb, m.made = b, map[bool]map[string][]byte{}
	for _, away := range []bool{false, true} {
		d := new(schema.Diagnostics)
		back, made, err := m.native(b, away, false, d)
		if err != nil {
			return err
		}
		if !away && !bytes.Equal(back, m.original()) {
			return errors.New("it does not come back as it was")
		}
		m.made[away] = made
		said := map[string]bool{}
		for _, x := range d.All() {
			said[x.Code+x.Path+x.Text()] = true
		}
		if m.usual = said; away {
			m.usually, m.usual = said, m.usually
		} else {
			m.usually = said
		}
	}
	return nil
}

// brushes is how many brushes of a level are tried: there are thousands, and one is like another.
const brushes = 3

// modelsOf returns the models in a file: itself, or the entries of an archive.
func modelsOf(t *testing.T, p string, from *format.Format, own bool) (list []*model) {
	b := corpus.Bytes(t, p)
	f := from
	if f == nil {
		f = sniff(p, b)
	}
	if f == nil {
		return nil
	}
	name := filepath.Base(p)
	if f.Lift != nil && f.Lower != nil && f.Read != nil && (f.Kind == format.Model || f.Kind == format.Animation) {
		return []*model{{f: f, name: name, path: p, own: own, stored: b}}
	}
	if f.Open == nil || f.Read != nil {
		return nil
	}
	a, err := f.Open(bytes.NewReader(b), int64(len(b)), new(engine.Loader).Env(p, nil))
	if err != nil {
		return nil
	}
	seen := map[string]int{}
	for i, e := range a.Entries() {
		if e.Format == nil || e.Size < 100 && !own || e.Kind != format.Model && e.Kind != format.Animation {
			continue
		}
		payload, err := a.Payload(i)
		if err != nil {
			continue
		}
		of := e.Format.Of(i, payload)
		if of == nil || of.Lift == nil || of.Lower == nil {
			continue
		}
		if seen[of.Name]++; of.Name == "unreal-model" && seen[of.Name] > brushes {
			continue
		}
		list = append(list, &model{f: of, name: name + ":" + e.Path, path: p, own: own, stored: payload, archive: b, holder: f, entry: e.Path})
	}
	return list
}
