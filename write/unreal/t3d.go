package unreal

import (
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
	"github.com/usher-assets/usher/write"
)

// T3D writes the editor's text form of brushes and actors (reference section 12.4), in Windows-1252.
func T3D(t *unreal.T3D) ([]byte, error) {
	w := write.NewBuffer("unreal-t3d", 4096)
	t3dItems(w, t.Items)
	return w.Finish()
}

func t3dItems(w *write.Buffer, items []unreal.T3DItem) {
	for i := range items {
		if items[i].Line == "" && items[i].End == "" && len(items[i].Items) == 0 {
			w.Failf(schema.ErrValue, "line", "an item without a line")
		}
		w.Text(items[i].Line, "line")
		t3dItems(w, items[i].Items)
		w.Text(items[i].End, "line")
	}
}
