package batch

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"sync"

	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/engine/store"
	"github.com/usher-assets/usher/convert/format"
)

// RecordName is the file in an output folder that records which inputs a batch made its outputs from.
const RecordName = "usher-batch.json"

// record lets a batch that was interrupted go on where it stopped.
type record struct {
	mu      sync.Mutex
	changed bool
	journal *disk.Journal
	begun   map[string]bool        // stems that only the journal of a killed run knows
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
	disk.Stamp
}

// journalName is the file in which a batch notes what it is about to finish. It becomes part of the record at the end.
const journalName = ".usher-batch-journal"

// journalLine is a line of the journal.
type journalLine struct {
	Stem string `json:"stem"`
	recordEntry
}

// readRecord returns the record of an output folder, with what a killed batch has noted in its journal. A damaged record
// is as good as none.
func readRecord(out *disk.Folder) (*record, error) {
	r := &record{begun: map[string]bool{}}
	b, err := out.ReadFile(RecordName)
	if errors.Is(err, disk.ErrNotOwn) {
		return nil, err
	}
	if err == nil && json.Unmarshal(b, r) != nil {
		r = &record{begun: map[string]bool{}}
	}
	if r.Outputs == nil {
		r.Outputs = map[string]recordEntry{}
	}
	var lines [][]byte
	if r.journal, lines, err = out.OpenJournal(journalName); err != nil {
		return nil, err
	}
	for _, text := range lines {
		var line journalLine
		if json.Unmarshal(text, &line) == nil {
			r.Outputs[line.Stem], r.begun[line.Stem], r.changed = line.recordEntry, true, true
		}
	}
	return r, nil
}

// current returns the files of a stem, and as outputs, when they were made from the same key and the same files beside the input, and
// are all still there.
func (r *record) current(out *disk.Folder, stem, key string, env *format.Env) ([]recordFile, []store.Output) {
	r.mu.Lock()
	e, ok := r.Outputs[stem]
	begun := r.begun[stem]
	r.mu.Unlock()
	if !ok || e.Key != key || !sameNeeds(env, e.Needs) {
		return nil, nil
	}
	var outputs []store.Output
	for _, f := range e.Files {
		if _, err := out.Stat(f.Name); err != nil || begun && out.Damaged(f.Name, f.Stamp) {
			return nil, nil
		}
		outputs = append(outputs, store.Output{Path: out.Path(f.Name), Size: f.Size})
	}
	return e.Files, outputs
}

// knows reports whether something was made under a stem.
func (r *record) knows(stem string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, ok := r.Outputs[stem]
	return ok
}

// unfinished reports whether a batch was about to make the files of a stem of this very input, and those of them that are
// there are its own: they may be replaced.
func (r *record) unfinished(out *disk.Folder, stem string, now recordEntry) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	e, known := r.Outputs[stem]
	foreign := func(f recordFile) bool { return f.Hash == "" || !out.Ours(f.Name, f.Stamp) }
	same := func(stored, now *need) bool {
		return slices.Equal(stored.Names, now.Names) && stored.Folder == now.Folder && stored.Deep == now.Deep &&
			disk.CompareHashes(stored.Found, now.Found) != disk.Different
	}
	return known && e.Key == now.Key && slices.EqualFunc(e.Needs, now.Needs, same) && !slices.ContainsFunc(e.Files, foreign)
}

// begin notes the files that are whole and about to get their names.
func (r *record) begin(stem string, e recordEntry) error {
	line, err := json.Marshal(journalLine{stem, e})
	if err == nil {
		err = r.journal.Append(line)
	}
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.Outputs[stem] = e
	r.changed = true
	return nil
}

// save writes the record, unless nothing was added. All that it speaks of is on the disk before it is.
func (r *record) save(out *disk.Folder, dryRun bool) error {
	if dryRun || !r.changed {
		return nil
	}
	b, err := r.encode()
	if err == nil {
		err = out.Sync()
	}
	if err == nil {
		err = out.Forced().Write(RecordName, b) // over an earlier one, which stays until the new one is whole
	}
	if err == nil {
		err = r.journal.Remove()
	}
	return err
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
