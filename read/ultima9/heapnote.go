package ultima9

import (
	"fmt"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"
)

// The layouts of what a heap holds, for a trace.
const (
	pageLayout     = "next:u32 free-objects:u32 free-properties:u32 base-x:u32 base-y:u32 live-objects:u32 live-properties:u32 unknown:u32 lists:16u32"
	fixedLayout    = "next:u32 x:u16 y:u16 z:i16 type:u16 rotation:4i16 flags:u32"
	nonfixedLayout = fixedLayout + " model:u16 link:u16 properties:u32"
	propertyLayout = "count:u8 types:3u8 values:3u32"
)

// note tells a trace what the cells of each page hold, runs of the same kind as one span. What is on no list and not
// free is kept as it is.
func (h *heap) note(t *schema.Trace) {
	for i := range h.pages {
		page := h.x.Heap[i*ultima9.PageSize:][:ultima9.PageSize]
		path := fmt.Sprintf("page %d", i)
		t.NoteBytes(page[:ultima9.PageHeaderSize], 1, pageLayout, path, "header")
		states := h.state[i*h.count:][:h.count]
		for from := 0; from < len(states); {
			to := from + 1
			for to < len(states) && states[to] == states[from] {
				to++
			}
			h.noteCells(t, page[ultima9.PageHeaderSize+from*h.unit:ultima9.PageHeaderSize+to*h.unit], states[from], path)
			from = to
		}
		if end := ultima9.PageHeaderSize + h.count*h.unit; end < len(page) {
			t.NoteBytes(page[end:], 1, schema.LayoutBytes, path, "end of the page")
		}
	}
}

func (h *heap) noteCells(t *schema.Trace, b []byte, what use, path string) {
	switch what {
	case isObject:
		layout := fixedLayout
		if h.x.Kind == ultima9.Nonfixed {
			layout = nonfixedLayout
		}
		t.NoteBytes(b, len(b)/h.x.Kind.CellSize(), layout, path, "objects")
	case isProperty:
		t.NoteBytes(b, len(b)/ultima9.PropertySize, propertyLayout, path, "properties")
	case isFree:
		t.NoteBytes(b, 1, schema.LayoutBytes, path, "free cells")
	default:
		t.NoteBytes(b, 1, schema.LayoutBytes, path, "unused cells")
	}
}
