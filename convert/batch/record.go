package batch

import (
	"encoding/json"
	"maps"
	"slices"
	"sync"

	"github.com/usher-assets/usher/convert"
	"github.com/usher-assets/usher/convert/format"
)

// RecordName is the file of an output folder in which a batch notes what it made from what.
const RecordName = "usher-batch.json"

// record lets a batch that was interrupted go on where it stopped.
type record struct {
	mu      sync.Mutex
	changed bool
	Outputs map[string]recordEntry `json:"outputs"` // by stem
}

// recordEntry is what was made of one input.
type recordEntry struct {
	Key   string       `json:"key"` // stands for the input and the options
	Needs []*need      `json:"needs,omitempty"`
	Files []recordFile `json:"files"`
}

type recordFile struct {
	Name string `json:"name"`
	Size int64  `json:"size"`
}

// readRecord returns the record of an output folder; an empty one when there is none or it is damaged.
func readRecord(out *convert.Folder) *record {
	r := &record{}
	if b, err := out.ReadFile(RecordName); err == nil && json.Unmarshal(b, r) != nil {
		r = &record{}
	}
	if r.Outputs == nil {
		r.Outputs = map[string]recordEntry{}
	}
	return r
}

// current returns the outputs of a stem when they were made from the same key and the same files beside the input, and
// are all still there.
func (r *record) current(out *convert.Folder, stem, key string, env *format.Env) ([]convert.Output, bool) {
	r.mu.Lock()
	e, ok := r.Outputs[stem]
	r.mu.Unlock()
	if !ok || e.Key != key || !sameNeeds(env, e.Needs) {
		return nil, false
	}
	var outputs []convert.Output
	for _, f := range e.Files {
		if _, err := out.Stat(f.Name); err != nil {
			return nil, false
		}
		outputs = append(outputs, convert.Output{Path: out.Path(f.Name), Size: f.Size})
	}
	return outputs, true
}

// knows tells whether something was made under a stem.
func (r *record) knows(stem string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, ok := r.Outputs[stem]
	return ok
}

// add notes the files that were made.
func (r *record) add(stem string, e recordEntry, files []convert.File, outputs []convert.Output) {
	for n, f := range files {
		e.Files = append(e.Files, recordFile{f.Name, outputs[n].Size})
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.Outputs[stem] = e
	r.changed = true
}

// save writes the record, unless nothing was added.
func (r *record) save(out *convert.Folder, dryRun bool) error {
	if dryRun || !r.changed {
		return nil
	}
	b, err := r.encode()
	if err != nil {
		return err
	}
	return out.Forced().Write(RecordName, b) // over an earlier one, which stays until the new one is whole
}

// encode writes the record as JSON, one output a line.
func (r *record) encode() ([]byte, error) {
	b := []byte("{\"outputs\": {")
	for n, stem := range slices.Sorted(maps.Keys(r.Outputs)) {
		name, err := json.Marshal(stem)
		if err != nil {
			return nil, err
		}
		entry, err := json.Marshal(r.Outputs[stem])
		if err != nil {
			return nil, err
		}
		if n > 0 {
			b = append(b, ',')
		}
		b = append(append(append(append(b, "\n "...), name...), ": "...), entry...)
	}
	return append(b, "\n}}\n"...), nil
}
