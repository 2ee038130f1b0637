package compare

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/engine/interchange"
	"github.com/usher-assets/usher/convert/format"
)

// noteBeside says of an entry that nobody named it.
const noteBeside = "it lies beside both"

// named compares two files that the user named and, if these differ, the models beside both of them that belong to them,
// such as the hulls of a ship. What lies beside only one of them is ignored.
func (c *Comparison) named(ctx context.Context, path string, a, b engine.Source, yield func(task) bool) {
	if !c.files(ctx, path, "", a, b, yield) {
		return
	}
	if f, _ := interchange.SniffFile(b.Path); f == nil || f.Kind != format.Model {
		return
	}
	if same, err := sameBytes(a, b); same || err != nil {
		return
	}
	list, err := disk.ReadDir(filepath.Dir(b.Path))
	if err != nil {
		return
	}
	for _, x := range list {
		if !c.besideBoth(x.Name(), a, b, yield) {
			return
		}
	}
}

// besideBoth compares a file beside the new one with that beside the old one, when it belongs to them.
func (c *Comparison) besideBoth(name string, a, b engine.Source, yield func(task) bool) bool {
	ext := filepath.Ext(name)
	if !strings.EqualFold(formats.Stem(name), formats.Stem(filepath.Base(b.Path))) || strings.EqualFold(ext, filepath.Ext(b.Path)) {
		return true
	}
	p, err1 := newPlace(strings.TrimSuffix(a.Path, filepath.Ext(a.Path)) + ext)
	q, err2 := newPlace(filepath.Join(filepath.Dir(b.Path), name))
	if err1 != nil || err2 != nil || p.dir || q.dir {
		return true
	}
	if f, _ := interchange.SniffFile(q.Path); f == nil || f.Kind != format.Model {
		return true
	}
	if same, err := sameBytes(p.Source, q.Source); same || err != nil {
		return true
	}
	return yield(task{Size: p.Size + q.Size, Do: func(context.Context) Entry {
		e := c.leaves(name, c.file(p.Source, q.Source), c.file(q.Source, p.Source))
		if e.Note == "" {
			e.Note = noteBeside
		}
		return e
	}})
}
