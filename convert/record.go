package convert

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"sync"
)

// recordName is the file of an output folder in which a batch notes what it made from what.
const recordName = "usher-batch.json"

// record lets a batch that was interrupted go on where it stopped.
type record struct {
	mu      sync.Mutex
	changed bool
	Outputs map[string]recordEntry `json:"outputs"` // by stem
}

// recordEntry is what was made of one input.
type recordEntry struct {
	Key   string       `json:"key"` // stands for the input and the options
	Files []recordFile `json:"files"`
}

type recordFile struct {
	Name string `json:"name"`
	Size int64  `json:"size"`
}

// readRecord returns the record of an output folder; an empty one when there is none or it is damaged.
func readRecord(out *Folder) *record {
	r := &record{}
	if out.root != nil {
		if b, err := out.root.ReadFile(recordName); err == nil && json.Unmarshal(b, r) != nil {
			r = &record{}
		}
	}
	if r.Outputs == nil {
		r.Outputs = map[string]recordEntry{}
	}
	return r
}

// current returns the outputs of a stem when they were made from the same key and are all still there.
func (r *record) current(out *Folder, stem, key string) ([]Output, bool) {
	r.mu.Lock()
	e, ok := r.Outputs[stem]
	r.mu.Unlock()
	if !ok || e.Key != key || out.root == nil {
		return nil, false
	}
	var outputs []Output
	for _, f := range e.Files {
		if _, err := out.root.Stat(filepath.FromSlash(f.Name)); err != nil {
			return nil, false
		}
		outputs = append(outputs, Output{out.Path(f.Name), f.Size})
	}
	return outputs, true
}

// add notes the files that were made, and what became of each.
func (r *record) add(stem, key string, files []File, outputs []Output) {
	e := recordEntry{Key: key}
	for i, f := range files {
		e.Files = append(e.Files, recordFile{f.Name, outputs[i].Size})
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.Outputs[stem] = e
	r.changed = true
}

// save writes the record, unless nothing was added.
func (r *record) save(out *Folder, dryRun bool) error {
	if dryRun || !r.changed {
		return nil
	}
	b, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		return err
	}
	if err := out.root.Remove(recordName); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: %w", recordName, err)
	}
	return out.Write(recordName, append(b, '\n'))
}
