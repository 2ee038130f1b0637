package compare

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/engine/interchange"
	"github.com/usher-assets/usher/convert/exchange/codepage"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/work/batch"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// DifferenceError describes how two stored forms differ: what Verify has read and written, or the two sides of a
// Comparison.
type DifferenceError struct {
	Offset    int64  // of the first byte that differs
	Path      string // structure and field at the offset, in the reader's words; may be empty
	Got, Want []byte // up to eight bytes at the offset: new and old, or written and read

	Details []Detail // differences in content; none if both mean the same
	Total   int      // number of details, which may exceed the list
	Note    string   // why there are no details
}

// Error implements error.
func (e *DifferenceError) Error() string {
	where := e.Path
	if where != "" {
		where += " "
	}
	text := fmt.Sprintf("%sat 0x%x: wrote %x, the file has %x", where, e.Offset, e.Got, e.Want)
	if len(e.Details) > 0 {
		text += fmt.Sprintf("; %v", e.Details[0])
	}
	if e.Total > 1 {
		text += fmt.Sprintf(", and %d more", e.Total-1)
	}
	return text
}

// side is one stored form of a thing, and what it is read as.
type side struct {
	bytes []byte
	item  *interchange.Item // nil where err is not
	err   error
}

// contrast compares two stored forms, which are not equal: the bytes, and what both mean in their own terms. It is what
// verification and comparison share.
func contrast(old, now side) *DifferenceError {
	at := 0
	for at < len(old.bytes) && at < len(now.bytes) && old.bytes[at] == now.bytes[at] {
		at++
	}
	e := &DifferenceError{Offset: int64(at), Got: now.bytes[at:min(at+8, len(now.bytes))], Want: old.bytes[at:min(at+8, len(old.bytes))]}
	if err := errors.Join(old.err, now.err); err != nil {
		if !errors.Is(err, formats.ErrUnknown) {
			e.Note = "the bytes alone are compared: " + firstOf(old.err, now.err).Error()
		}
		return e
	}
	if f := old.item.Format; f != nil {
		e.Path = fieldAt(old.bytes, at, f.Read)
	}
	if e.items(old.item, now.item); e.Total == 0 {
		e.Note = "the same, stored otherwise"
	}
	return e
}

func firstOf(a, b error) error {
	if a != nil {
		return a
	}
	return b
}

// fieldAt names the field that covers an offset of b, as the reader's trace tells it.
func fieldAt(b []byte, at int, read func([]byte, *schema.Diagnostics) (any, error)) string {
	if read == nil || at == len(b) {
		return ""
	}
	t, d := new(schema.Trace), new(schema.Diagnostics)
	t.Place(b, 0)
	d.Record(t)
	_ = batch.Guarded(func() error { _, err := read(b, d); return err }) // it was read before
	for _, s := range t.Spans {
		if s.Offset <= int64(at) && s.Offset+s.Size > int64(at) {
			return strings.Trim(s.Path+"/"+s.Field, "/")
		}
	}
	return ""
}

// pageOf returns the code page that an item's texts are shown in; nil for the usual one.
func pageOf(it *interchange.Item) *codepage.Page {
	if it.Format == nil || !it.Format.SingleByte || it.Env == nil {
		return nil
	}
	page, _ := codepage.Find(it.Env.Options.CodePage) // one that is not there was refused when the item was lifted
	return page
}

// items notes in what two items differ.
func (e *DifferenceError) items(a, b *interchange.Item) {
	if x, y := formatOf(a), formatOf(b); x != y {
		e.Details = append(e.Details, Detail{What: "field", Where: "format", Old: x, New: y})
	}
	x, err1 := a.Lift()
	y, err2 := b.Lift()
	lifted := err1 == nil && err2 == nil
	valued := a.Format != nil && b.Format != nil && a.Format.New != nil && b.Format.New != nil
	if _, rows := y.(*asset.Table); lifted && !(rows && valued) { // whose rows are the fields
		e.Details = append(e.Details, Assets(x, y)...)
	}
	var fields []Field
	total := 0
	switch {
	case a.Format == nil || b.Format == nil:
	case valued:
		fields, total = valuesIn(pageOf(a), a.Value, b.Value)
		e.Details = slices.DeleteFunc(e.Details, func(d Detail) bool { // a file's own name may be in the scene
			return d.What == "field" && strings.HasSuffix(d.Where, " › name")
		})
	case lifted: // the value means something together with its archive only
		fields, total = valuesIn(pageOf(a), residue(x), residue(y))
	}
	e.Total = len(e.Details) + total
	told := map[[2]string]bool{}
	for _, d := range e.Details {
		told[[2]string{d.Old, d.New}] = d.What == "line"
	}
	for _, f := range fields {
		if told[[2]string{f.Old, f.New}] { // a text of one line
			e.Total--
			continue
		}
		e.Details = append(e.Details, Detail{What: "field", Where: f.Path, Old: f.Old, New: f.New})
	}
}

// residue returns what only the format of an asset knows of it, as people may read it.
func residue(a asset.Asset) map[string]any {
	if n := interchange.NativeOf(a); n != nil {
		return n.Values
	}
	return nil
}

func kindOfItem(it *interchange.Item) format.Kind {
	if it.Format != nil {
		return it.Format.Kind
	}
	return interchange.KindOf(it.Asset)
}

func formatOf(it *interchange.Item) string {
	if it.Format != nil {
		return it.Format.Name
	}
	return ""
}
