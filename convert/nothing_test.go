package convert_test

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/engine/interchange"
	"github.com/usher-assets/usher/convert/engine/store"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/testdata/corpus"
)

// calls counts what was called, and what of it panicked.
type calls struct {
	t    *testing.T
	made int
}

// try calls f, which may fail but not panic.
func (c *calls) try(what string, f func()) {
	c.t.Helper()
	defer func() {
		if p := recover(); p != nil {
			c.t.Errorf("%s: panic: %v", what, p)
		}
	}()
	c.made++
	f()
}

// nobodysAssets are assets of each kind that nobody filled, and none.
func nobodysAssets() []asset.Asset {
	return []asset.Asset{
		nil, new(asset.Scene), new(asset.Texture), new(asset.Sound), new(asset.Table), new(asset.Text),
		&asset.Texture{Frames: []asset.Frame{{}}}, &asset.Scene{Roots: []*asset.Node{asset.NewNode("")}}, &asset.Sound{Rate: -1, Channels: 3, PCM: []byte{1}},
		&asset.Texture{Native: &asset.Native{}}, &asset.Scene{Native: &asset.Native{Payload: []byte{1}}},
		(*asset.Scene)(nil), (*asset.Texture)(nil), (*asset.Sound)(nil), (*asset.Table)(nil), (*asset.Text)(nil),
	}
}

// noValues are pointers to values of all formats that are nil.
func noValues() (list []any) {
	for i := range formats.All {
		if f := &formats.All[i]; f.New != nil {
			list = append(list, reflect.Zero(reflect.TypeOf(f.New())).Interface())
		}
	}
	return list
}

// nobodysEnvs are environments without what a program that runs gives them.
func nobodysEnvs() []*format.Env {
	return []*format.Env{nil, {}, {Name: "name", Diagnostics: new(schema.Diagnostics)}}
}

// ask calls every function of a format with values, assets and bytes that are not its own.
func (c *calls) ask(f *format.Format, strangers []any) {
	c.t.Helper()
	at := func(what string, args ...any) string { return f.Name + " " + what + fmt.Sprint(args...) }
	for _, b := range [][]byte{nil, {}, {0}, bytes.Repeat([]byte{0xFF}, 200), make([]byte, 4096)} {
		if f.Read != nil {
			c.try(at("Read ", len(b)), func() { _, _ = f.Read(b, nil) })
		}
		if f.Probe != nil {
			c.try(at("Probe ", len(b)), func() { f.Probe(&format.Input{Head: b, Size: int64(len(b))}) })
		}
		c.try(at("For ", len(b)), func() { f.For(b) })
		if f.Open != nil {
			c.try(at("Open ", len(b)), func() { _, _ = f.Open(bytes.NewReader(b), int64(len(b)), &format.Env{}) })
			c.try(at("Open without an environment"), func() { _, _ = f.Open(bytes.NewReader(b), int64(len(b)), nil) })
		}
	}
	for _, v := range strangers {
		c.values(f, v)
	}
	for i, a := range nobodysAssets() {
		for _, env := range nobodysEnvs() {
			if f.Lower != nil {
				c.try(at("Lower ", i, env != nil), func() { _, _ = f.Lower(a, env) })
				c.try(at("convert.Lower ", i, env != nil), func() { _, _ = engine.Lower(f, a, env) })
			}
			c.try(at("LowerOnto ", i, env != nil), func() {
				_, _ = engine.LowerOnto(f, interchange.OriginalOf(f, []byte{1, 2}, env), &interchange.Item{Asset: a, Env: env}, env)
			})
		}
	}
	if f.Create != nil {
		c.try(at("Create"), func() {
			if a, err := f.Create(nil); err == nil {
				c.archive(f.Name, a)
			}
		})
	}
}

// values calls the functions of a format for values with one that is not its own.
func (c *calls) values(f *format.Format, v any) {
	what := fmt.Sprintf("%s of a %T", f.Name, v)
	if f.Write != nil {
		c.try(what+" Write", func() { _, _ = f.Write(v) })
	}
	if f.Check != nil {
		c.try(what+" Check", func() { _ = f.Check(v) })
	}
	if f.Facts != nil {
		c.try(what+" Facts", func() { f.Facts(v) })
	}
	for _, env := range nobodysEnvs() {
		if f.Detail != nil {
			c.try(what+" Detail", func() { f.Detail(v, env) })
		}
		if f.Lift != nil {
			c.try(what+" Lift", func() { _, _ = f.Lift(v, env) })
		}
		if f.Into != nil {
			c.try(what+" Into", func() { _, _, _ = f.Into(v, "unreal-t3d", env) })
		}
		if f.Document != nil && f.Document.Show != nil {
			c.try(what+" Show", func() { _, _ = f.Document.Show(v, env) })
		}
	}
}

// archive calls the functions of an archive with entries that it has not.
func (c *calls) archive(name string, a format.ArchiveFile) {
	for _, i := range []int{-1, 0, len(a.Entries()), 1 << 30} {
		c.try(fmt.Sprint(name, " Payload ", i), func() { _, _ = a.Payload(i) })
		if i < 0 || i >= len(a.Entries()) {
			c.try(fmt.Sprint(name, " Replace ", i), func() { _ = a.Replace(i, nil) })
			c.try(fmt.Sprint(name, " Remove ", i), func() { _ = a.Remove(i) })
		}
	}
	for _, path := range []string{"", "1", "a/b", "..", "\x00"} {
		c.try(name+" Add "+path, func() { _ = a.Add(path, nil, nil) })
	}
	c.try(name+" Facts", func() { a.Facts() })
	c.try(name+" WriteTo", func() { _, _ = a.WriteTo(io.Discard) })
}

// strangers are values of all formats, and of none.
func strangers() []any {
	list := []any{nil, 0, "", struct{}{}, new(int), []byte{1}}
	for i := range formats.All {
		if f := &formats.All[i]; f.New != nil {
			list = append(list, f.New())
		}
	}
	return append(list, noValues()...)
}

// TestNothingPanics calls every function of every format with values, assets, entries and bytes that are not its own, or
// that nobody filled: it may refuse them.
func TestNothingPanics(t *testing.T) {
	c := &calls{t: t}
	all := strangers()
	for i := range formats.All {
		c.ask(&formats.All[i], all)
	}
	t.Logf("%d calls of %d formats", c.made, len(formats.All))
}

// TestNothingPanicsInArchives does so for the formats of the entries of archives, bound to an entry and not.
func TestNothingPanicsInArchives(t *testing.T) {
	c := &calls{t: t}
	all := append(strangers()[:12], noValues()[:12]...)
	err := filepath.WalkDir(corpus.Testdata(t), func(p string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || families[filepath.Base(filepath.Dir(p))] == nil {
			return err
		}
		a, err := store.OpenArchive(p, nil, &format.Env{Name: filepath.Base(p)})
		if err != nil {
			return nil // it is none
		}
		defer a.Close()
		asked := map[*format.Format]bool{}
		for i, e := range a.Entries() {
			payload, err := a.Payload(i)
			if err != nil || e.Format == nil || asked[e.Format] {
				continue
			}
			asked[e.Format] = true
			c.ask(e.Format, all)
			c.ask(e.Format.Of(i, payload), all)
		}
		c.archive(filepath.Base(p), a)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d calls", c.made)
}
