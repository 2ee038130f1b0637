package ultima9

import (
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/write"
)

// Book writes a record of the books archives (reference section 10.3).
func Book(x *ultima9.Book) ([]byte, error) {
	w := write.NewBuffer("u9-book", len(x.Title.Text)+len(x.Body)+9)
	countedText(w, x.Title, "title")
	size := w.Reserve32()
	start := w.Len()
	w.Text(x.Body, "body")
	w.Patch32(size, w.Len()-start, "body length")
	return w.Finish()
}
