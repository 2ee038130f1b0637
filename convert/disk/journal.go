package disk

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
)

// Journal is a file with a line for each thing that a run is about to finish, so that a later run can continue after an
// interruption. Several goroutines may append lines.
type Journal struct {
	folder *Folder
	name   string

	mu   sync.Mutex
	file *os.File // nil before the first line
	torn bool     // the last line is not whole
	text []byte   // of some lines, used again
}

// OpenJournal returns the journal with the given name and the lines that an earlier run left in it. An incomplete last line
// is dropped. The file is created when the first line is appended.
func (f *Folder) OpenJournal(name string) (*Journal, [][]byte, error) {
	j := &Journal{folder: f, name: name}
	b, err := f.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return j, nil, nil
	}
	if errors.Is(err, ErrNotOwn) {
		return nil, nil, err
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", f.Path(name), plain(err))
	}
	whole := b[:bytes.LastIndexByte(b, '\n')+1]
	j.torn = len(whole) < len(b)
	var lines [][]byte
	for line := range bytes.Lines(whole) {
		if line = bytes.TrimSuffix(line, []byte("\n")); len(line) > 0 {
			lines = append(lines, line)
		}
	}
	return j, lines, nil
}

// Append appends one or more lines. text has no line end at its end.
func (j *Journal) Append(lines []byte) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	err := j.append(lines)
	if err != nil {
		return fmt.Errorf("%s: %w", j.folder.Path(j.name), plain(err))
	}
	return nil
}

func (j *Journal) append(lines []byte) error {
	if err := fault("append", j.name); err != nil {
		return err
	}
	if j.file == nil {
		file, err := j.folder.openControl(j.name, os.O_WRONLY|os.O_CREATE|os.O_APPEND)
		if err != nil {
			return err
		}
		j.file = file
	}
	j.text = j.text[:0]
	if j.torn {
		j.text = append(j.text, '\n')
	}
	j.text = append(append(j.text, lines...), '\n')
	j.torn = true
	if _, err := j.file.Write(j.text); err != nil {
		return err
	}
	j.torn = false
	return nil
}

// Close closes the journal and leaves it to a later run.
func (j *Journal) Close() {
	j.file.Close() // nil before the first line, which closes as well
	j.file = nil
}

// Remove deletes the journal because the work is done.
func (j *Journal) Remove() error {
	j.Close()
	return j.folder.Remove(j.name)
}
