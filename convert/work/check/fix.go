package check

import (
	"fmt"
	"io"
	"slices"

	"github.com/usher-assets/usher/convert/disk"
)

// fix mends what can be mended for certain in the files of the game that is looked at, never in those that it lies over. All
// files are written together, or none.
func (c *Check) fix(l *looked, r *Report) error {
	mended := map[string][]byte{} // by the name in the layer
	var order []string
	for i, f := range slices.Backward(r.Findings) {
		if f.Mend == nil || f.File.Layer != 0 {
			continue
		}
		name := f.File.Name
		b, ok := mended[name]
		if !ok {
			var err error
			if b, err = l.game.Read(f.File); err != nil {
				return fmt.Errorf("%s: %w", f.Path, err)
			}
			order = append(order, name)
		}
		b, err := f.Mend.Apply(b)
		if err != nil {
			return fmt.Errorf("%s: %s: %w", f.Path, f.Entry, err)
		}
		mended[name], r.Findings[i].Fixed = b, true
	}
	if c.DryRun || len(order) == 0 {
		return nil
	}
	return writeAll(l.root, order, mended)
}

// writeAll writes files of a folder together, over those that are there.
func writeAll(dir string, names []string, contents map[string][]byte) error {
	out, err := disk.Open(dir, true)
	if err != nil {
		return err
	}
	defer out.Close()
	var act disk.Act
	defer act.Discard()
	for _, name := range names {
		p, err := out.Durable().Prepare(name, func(w io.Writer) error {
			_, err := w.Write(contents[name])
			return err
		})
		if err != nil {
			return err
		}
		act.Add(p)
	}
	return act.Commit()
}
