package ultima9

import (
	"bytes"
	stdcsv "encoding/csv"
	"path/filepath"
	"testing"

	"github.com/usher-assets/usher/convert/exchange/csv"
	"github.com/usher-assets/usher/convert/exchange/gltf"
	"github.com/usher-assets/usher/convert/exchange/rows"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/testdata/corpus"
	"github.com/usher-assets/usher/testdata/u9"

	read "github.com/usher-assets/usher/read/ultima9"
	write "github.com/usher-assets/usher/write/ultima9"
)

// FuzzLowerScene lowers whatever a glTF file holds: it may be refused, and what is not can be written and read.
func FuzzLowerScene(f *testing.F) {
	b := sampleBody(f)
	s := u9.Do(Sappear.Lift(u9.Do(read.Sappear(b, nil))(f), nil))(f)
	clip := u9.Do(openFLX(bytes.NewReader(sampleClips(f)), int64(len(sampleClips(f))), nil))(f)
	animated := u9.Do(Anim.Lift(u9.Do(read.Anim(u9.Do(clip.Payload(0))(f), nil))(f), nil))(f)
	for _, s := range []*asset.Scene{s, animated} {
		var w bytes.Buffer
		u9.Must(f, gltf.Encode(&w, s, gltf.Options{}))
		f.Add(w.Bytes())
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := gltf.Decode(b, nil, nil)
		if err != nil {
			return
		}
		if m, err := Sappear.Lower(s, nil); err == nil {
			if b, err := write.Sappear(m); err == nil {
				u9.Do(read.Sappear(b, nil))(t)
			}
		}
		if a, err := Anim.Lower(s, nil); err == nil {
			if b, err := write.Anim(a); err == nil {
				u9.Do(read.Anim(b, nil))(t)
			}
		}
	})
}

// FuzzLift lifts whatever can be read; what was lifted comes back as the same bytes.
func FuzzLift(f *testing.F) {
	textures := sampleTextures(f, nil)
	archive := u9.Do(openFLX(bytes.NewReader(textures), int64(len(textures)), nil))(f)
	for i := range archive.Entries() {
		f.Add(u9.Do(archive.Payload(i))(f))
	}
	f.Add(sampleBody(f))
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, x := range []*format.Format{&textureFormat, &sappearFormat, &animFormat} {
			v, err := x.Read(b, new(schema.Diagnostics))
			if err != nil {
				continue
			}
			a, err := x.Lift(v, nil)
			if err != nil {
				continue
			}
			back, err := x.Lower(a, nil)
			if err != nil {
				t.Fatal(err)
			}
			corpus.SameBytes(t, x.Name, u9.Do(x.Write(back))(t), b)
		}
	})
}

// FuzzProbe shows probes anything.
func FuzzProbe(f *testing.F) {
	f.Add("a.pal", sampleBody(f))
	f.Fuzz(func(t *testing.T, name string, b []byte) {
		for i := range Formats {
			Formats[i].Probe(input(name, b))
		}
		_, _ = openFLX(bytes.NewReader(b), int64(len(b)), nil)
	})
}

// FuzzTables lowers whatever somebody made of the CSV of a table: it may be refused, and what is not can be written, read and
// shown again.
func FuzzTables(f *testing.F) {
	type table struct {
		format, view *format.Format
		payload      []byte
	}
	var tables []table
	for _, path := range u9.Do(filepath.Glob(corpus.Testdata(f, "ultima9", "*")))(f) {
		b := corpus.Bytes(f, path)
		for i := range Formats {
			x := table{&Formats[i], viewOf(&Formats[i]), b}
			if x.view == nil || x.format.Probe(input(filepath.Base(path), b)) == format.No {
				continue
			}
			if v, err := x.format.Read(b, nil); err == nil {
				f.Add(uint8(len(tables)), false, csvOf(f, asCSV(u9.Do(x.view.Lift(v, nil))(f).(*asset.Table))))
				tables = append(tables, x)
			}
		}
	}
	if len(tables) < 10 {
		f.Fatalf("%d tables", len(tables))
	}
	f.Fuzz(func(t *testing.T, which uint8, prune bool, text []byte) {
		x := tables[int(which)%len(tables)]
		stored := u9.Do(x.view.Lift(u9.Do(x.format.Read(x.payload, nil))(t), nil))(t).(*asset.Table)
		shown, err := csv.Decode(text)
		if err != nil {
			return
		}
		a := &asset.Table{Columns: shown.Columns, Lines: shown.Lines, Native: stored.Native}
		for _, cells := range shown.Rows {
			row := make([]any, len(cells))
			for k, c := range cells {
				row[k] = c
			}
			a.Rows = append(a.Rows, row)
		}
		m, err := rows.Merge(a, stored, prune, nil)
		if err != nil {
			return
		}
		v, err := x.format.Lower(m.Table, nil)
		if err != nil {
			return
		}
		b, err := x.format.Encode(v)
		if err != nil {
			return
		}
		again := u9.Do(x.format.Read(b, nil))(t)
		if _, err := x.view.Lift(again, nil); err != nil {
			t.Fatalf("%s: what was written is not shown: %v", x.format.Name, err)
		}
		if again := u9.Do(x.format.Write(again))(t); !bytes.Equal(again, b) {
			t.Fatalf("%s: what was written is read as something else", x.format.Name)
		}
	})
}

// csvOf returns the CSV of a table whose cells are text.
func csvOf(t testing.TB, a *asset.Table) []byte {
	var b bytes.Buffer
	w := stdcsv.NewWriter(&b)
	u9.Must(t, w.Write(a.Columns))
	for _, cells := range a.Rows {
		row := make([]string, len(cells))
		for k, c := range cells {
			row[k] = c.(string)
		}
		u9.Must(t, w.Write(row))
	}
	w.Flush()
	return b.Bytes()
}
