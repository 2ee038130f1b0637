// Package docs makes a site of what is known of the formats: their references with an anchor for each section and field, and
// a page for each format with an example of which every byte is explained.
package docs

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"html/template"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/usher-assets/usher/cmd/usher/docs/layout"
	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
)

// Site is a site to be made.
type Site struct {
	Examples []string // files; the smallest of each format is shown
	Force    bool     // overwrite
}

// Made tells what a site has.
type Made struct{ References, Formats, Examples, Descriptions int }

// reference is a page of a family.
type reference struct {
	*document
	Family, Page string
}

// HTML is the text of the reference.
func (r *reference) HTML() template.HTML { return template.HTML(r.Body) }

// formatPage is the page of a format.
type formatPage struct {
	*format.Format
	Page       string
	References []*reference
	Sections   []place // that are about it
	Example    *Example

	Layout       *layout.Layout // nil if nothing could be learned of it
	Descriptions []description  // of it, for other programs
}

// description is a file for another program.
type description struct{ Program, Name, Text string }

// place is a section of a reference.
type place struct{ Title, Page string }

// Write makes the site in a folder.
func (s *Site) Write(ctx context.Context, dir string) (*Made, error) {
	references, pages, made, err := s.pages(ctx)
	if err != nil {
		return nil, err
	}
	return made, s.save(dir, references, pages)
}

// pages makes the pages of a site.
func (s *Site) pages(ctx context.Context) ([]*reference, []*formatPage, *Made, error) {
	references, err := references()
	if err != nil {
		return nil, nil, nil, err
	}
	l := new(engine.Loader)
	found, err := candidates(ctx, l, s.Examples)
	if err != nil {
		return nil, nil, nil, err
	}
	layouts, err := s.layouts(ctx, l)
	if err != nil {
		return nil, nil, nil, err
	}
	var pages []*formatPage
	made := &Made{References: len(references), Formats: len(formats.All)}
	for i := range formats.All {
		p, err := newFormatPage(l, &formats.All[i], references, found)
		if err != nil {
			return nil, nil, nil, err
		}
		if p.Example != nil {
			made.Examples++
		}
		p.describe(layouts[p.Name])
		made.Descriptions += len(p.Descriptions)
		pages = append(pages, p)
	}
	return references, pages, made, nil
}

// references are the references of all families, README first.
func references() (list []*reference, err error) {
	paths, err := fs.Glob(schema.References, "*/*.md")
	if err != nil {
		return nil, err
	}
	for _, p := range paths {
		b, err := schema.References.ReadFile(p)
		if err != nil {
			return nil, err
		}
		family, name := path.Split(p)
		r := &reference{parse(string(b)), path.Clean(family), ""}
		r.Page = r.Family + ".html"
		if name != "README.md" {
			r.Page = r.Family + "-" + strings.TrimSuffix(name, ".md") + ".html"
		}
		list = append(list, r)
	}
	slices.SortStableFunc(list, func(a, b *reference) int {
		return strings.Compare(a.Page, b.Page)
	})
	return list, nil
}

func newFormatPage(l *engine.Loader, f *format.Format, all []*reference, found map[string]candidate) (*formatPage, error) {
	p := &formatPage{Format: f, Page: "format-" + slug(f.Name) + ".html"}
	for _, r := range all {
		if r.Family != f.Family {
			continue
		}
		p.References = append(p.References, r)
		for _, s := range r.Sections {
			if s.Level > 1 && about(f, s.Title) {
				p.Sections = append(p.Sections, place{s.Title, r.Page + "#" + s.ID})
			}
		}
	}
	c, ok := found[f.Name]
	if !ok {
		return p, nil
	}
	var err error
	p.Example, err = example(l, c, p.anchor)
	return p, err
}

// describe adds what other programs can read of a layout.
func (p *formatPage) describe(l *layout.Layout) {
	if l == nil {
		return
	}
	p.Layout = l
	about := &layout.About{Name: p.Name, Title: p.Title, Extensions: p.Extensions, Anchor: p.anchor}
	p.Descriptions = []description{{"Kaitai Struct", p.file(".ksy"), l.Kaitai(about)}, {"ImHex", p.file(".hexpat"), l.ImHex(about)}}
}

// anchor returns where the references of a format's family have a field: in the sections about the format, if there are any.
func (p *formatPage) anchor(field string) string {
	for _, r := range p.References {
		var own []string
		for _, s := range p.Sections {
			if page, id, _ := strings.Cut(s.Page, "#"); page == r.Page {
				own = append(own, id)
			}
		}
		if id := r.field(field, own); id != "" {
			return r.Page + "#" + id
		}
	}
	return ""
}

// about reports whether the title of a section names a format, one of its extensions, or what it is called.
func about(f *format.Format, title string) bool {
	words := " " + strings.ReplaceAll(slug(title), "-", " ") + " "
	for _, name := range append([]string{f.Name, f.Title}, f.Extensions...) {
		if s := strings.ReplaceAll(slug(name), "-", " "); s != "" && (strings.Contains(words, " "+s+" ") || strings.Contains(words, " "+s+"s ")) {
			return true
		}
	}
	return false
}

//go:embed site.html
var siteText string

var sitePage = sync.OnceValue(func() *template.Template { return template.Must(template.New("site").Parse(siteText)) })

// files makes all that a site has, and calls put with each.
func files(references []*reference, pages []*formatPage, put func(name string, content []byte) error) error {
	page := func(name, template string, data any) error {
		var b bytes.Buffer
		if err := sitePage().ExecuteTemplate(&b, template, data); err != nil {
			return err
		}
		return put(name, b.Bytes())
	}
	if err := page("index.html", "index", map[string]any{"References": references, "Formats": pages}); err != nil {
		return err
	}
	for _, r := range references {
		if err := page(r.Page, "reference", r); err != nil {
			return err
		}
	}
	for _, p := range pages {
		if err := page(p.Page, "format", p); err != nil {
			return err
		}
		if err := put(p.file(".json"), p.fields()); err != nil {
			return err
		}
		for _, d := range p.Descriptions {
			if err := put(d.Name, []byte(d.Text)); err != nil {
				return err
			}
		}
	}
	return nil
}

// file is the name of a file about the format.
func (p *formatPage) file(extension string) string {
	return strings.TrimSuffix(p.Page, ".html") + extension
}

// fields tells other pages where the site has the fields of a format: by their names in small letters and digits.
func (p *formatPage) fields() []byte {
	all := map[string]string{}
	for _, r := range p.References {
		for name := range r.Fields {
			if at := p.anchor(name); at != "" {
				all[name] = at
			}
		}
	}
	b, _ := json.Marshal(map[string]any{"page": p.Page, "fields": all}) // texts alone
	return b
}

// save writes all files, or none.
func (s *Site) save(dir string, references []*reference, pages []*formatPage) error {
	folder, err := disk.Open(dir, s.Force)
	if err != nil {
		return err
	}
	defer folder.Close()
	room, err := folder.Room()
	if err != nil {
		return err
	}
	if err := files(references, pages, room.Put); err != nil {
		return err
	}
	return room.Commit("index.html")
}
