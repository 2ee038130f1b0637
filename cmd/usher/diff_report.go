package main

import (
	_ "embed"
	"encoding/base64"
	"html/template"
	"image"
	"io"
	"path/filepath"
	"sync"

	"github.com/urfave/cli/v2"

	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/show/sheet"
	"github.com/usher-assets/usher/convert/work/compare"
)

// reports are what a comparison leaves beside its lines: a page, and a folder of pictures.
type reports struct {
	page     string // path of the page; empty for none
	old, now string
	force    bool
	verbose  bool         // what is the same is on the page as well
	folder   *disk.Folder // of the pictures; nil for none
	pictures *disk.Room
	names    disk.Names
}

// reportSize is the width and height of the pictures of a report, in pixels.
const reportSize = 256

func newReports(c *cli.Context, job *compare.Comparison, old, now string) (*reports, error) {
	r := &reports{page: c.String("html"), old: old, now: now, force: c.Bool("force"), verbose: c.Bool("verbose")}
	if r.page != "" || c.String("picture") != "" {
		job.Draw = sheet.Compared(reportSize)
	}
	dir := c.String("picture")
	if dir == "" {
		return r, nil
	}
	var err error
	if r.folder, err = disk.Open(dir, r.force); err != nil {
		return nil, err
	}
	if r.pictures, err = r.folder.Room(); err != nil {
		r.folder.Close()
		return nil, err
	}
	return r, nil
}

// run does a comparison, whose entries go through show, while the page is being written.
func (r *reports) run(compareAll func(show func(*compare.Entry) error) error) error {
	if r.pictures != nil {
		defer r.folder.Close()
	}
	if err := r.write(compareAll); err != nil || r.pictures == nil {
		return err
	}
	return r.pictures.Commit("")
}

func (r *reports) write(compareAll func(show func(*compare.Entry) error) error) error {
	if r.page == "" {
		return compareAll(r.keep)
	}
	folder, err := disk.Open(filepath.Dir(r.page), r.force)
	if err != nil {
		return err
	}
	defer folder.Close()
	return folder.Create(filepath.Base(r.page), func(w io.Writer) error {
		if err := reportPage().ExecuteTemplate(w, "head", r.titles()); err != nil {
			return err
		}
		err := compareAll(func(e *compare.Entry) error {
			if err := r.keep(e); err != nil || e.Status == compare.Same && !r.verbose {
				return err
			}
			return reportPage().ExecuteTemplate(w, "entry", newReportEntry(e))
		})
		if err != nil {
			return err
		}
		return reportPage().ExecuteTemplate(w, "foot", nil)
	})
}

func (r *reports) titles() map[string]string { return map[string]string{"Old": r.old, "New": r.now} }

// keep writes the pictures of an entry into the folder, if there is one.
func (r *reports) keep(e *compare.Entry) error {
	if r.pictures == nil || e.Pictures == nil {
		return nil
	}
	stem := r.names.Unique(disk.SafePath(e.Path))
	for suffix, m := range map[string]*image.NRGBA{".before.png": e.Pictures.Before, ".after.png": e.Pictures.After, ".heat.png": e.Pictures.Heat} {
		if m == nil {
			continue
		}
		b, err := pngOf(m)
		if err == nil {
			err = r.pictures.Put(stem+suffix, b)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

//go:embed diff_report.html
var reportText string

var reportPage = sync.OnceValue(func() *template.Template { return template.Must(template.New("report").Parse(reportText)) })

// reportEntry is an entry as the page shows it.
type reportEntry struct {
	Status   string
	Headline string
	Note     string
	Error    string
	Details  []string
	More     int
	Pictures []reportPicture
}

type reportPicture struct {
	Title         string
	Data          template.URL
	Width, Height int
}

// mostReported is how many details of an entry the page shows.
const mostReported = 200

func newReportEntry(e *compare.Entry) *reportEntry {
	r := &reportEntry{Status: string(e.Status), Headline: headline(e), Note: e.Note}
	if e.Err != nil {
		r.Error, r.Headline = e.Err.Error(), e.Path
	}
	for _, d := range e.Details[:min(len(e.Details), mostReported)] {
		r.Details = append(r.Details, d.String())
	}
	r.More = e.Total - len(r.Details)
	if e.Pictures != nil {
		r.picture("before", e.Pictures.Before)
		r.picture("after", e.Pictures.After)
		r.picture("where they differ", e.Pictures.Heat)
	}
	return r
}

func (r *reportEntry) picture(title string, m *image.NRGBA) {
	if m == nil {
		return
	}
	if b, err := pngOf(m); err == nil {
		data := template.URL("data:image/png;base64," + base64.StdEncoding.EncodeToString(b))
		r.Pictures = append(r.Pictures, reportPicture{title, data, m.Rect.Dx(), m.Rect.Dy()})
	}
}
