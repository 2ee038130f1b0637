package check

import (
	"fmt"
	"io"
	"slices"

	"github.com/usher-assets/usher/convert/disk"
)

// fix mends what can be mended for certain in the files of the game that is looked at, never in those that it lies over. All
// files are written together, or none, and what they were is kept for undo.
func (c *Check) fix(l *looked, r *Report) (err error) {
	m := mending{looked: l, contents: map[string][]byte{}}
	if !c.DryRun {
		if m.out, err = disk.Open(l.root, true); err != nil {
			return err
		}
		defer m.out.Close()
		lock, err := m.out.Lock("check")
		if err != nil {
			return err
		}
		defer lock.Release()
	}
	for i, f := range slices.Backward(r.Findings) {
		if f.Mend == nil || f.File.Layer != 0 {
			continue
		}
		if err := m.mend(&f); err != nil {
			return err
		}
		r.Findings[i].Fixed = true
	}
	if c.DryRun {
		return nil
	}
	return m.write()
}

// mending is the files of a game with what was mended.
type mending struct {
	*looked
	out      *disk.Folder // nil in a dry run
	names    []string
	contents map[string][]byte // by name
}

// mend mends what a finding is about.
func (m *mending) mend(f *Finding) error {
	name := f.File.Name
	b, ok := m.contents[name]
	if !ok {
		var err error
		if b, err = m.game.Read(f.File); err != nil {
			return fmt.Errorf("%s: %w", f.Path, err)
		}
		m.names = append(m.names, name)
	}
	b, err := f.Mend.Apply(b)
	if err != nil {
		return fmt.Errorf("%s: %s: %w", f.Path, f.Entry, err)
	}
	m.contents[name] = b
	return nil
}

// write writes the files together, over those that are there.
func (m *mending) write() error {
	var act disk.Act
	defer act.Discard()
	for _, name := range m.names {
		p, err := m.out.Durable().Prepare(name, func(w io.Writer) error {
			_, err := w.Write(m.contents[name])
			return err
		})
		if err != nil {
			return err
		}
		act.Add(p)
	}
	if err := act.Keep(); err != nil {
		return err
	}
	return act.Commit()
}
