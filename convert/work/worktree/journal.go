package worktree

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/schema"
)

// journalName is the file in which unpacking records every entry whose files are complete and about to get their names. The
// manifest replaces it. Its first line is what the manifest says of the archive; each further line is an entry.
const journalName = ".usher-unpack-journal"

// unfinished is what a killed run has left. A nil one has nothing.
type unfinished struct {
	archive ManifestArchive
	entries []ManifestEntry
}

func (u *unfinished) of() *ManifestArchive {
	if u == nil {
		return nil
	}
	return &u.archive
}

// openJournal returns the journal of a folder, and what an earlier run has noted there; nil when there is nothing.
func openJournal(out *disk.Folder) (*disk.Journal, *unfinished, error) {
	j, lines, err := out.OpenJournal(journalName)
	if err != nil || len(lines) == 0 {
		return j, nil, err
	}
	left := new(unfinished)
	if json.Unmarshal(lines[0], &left.archive) != nil || left.archive.Hash == "" && left.archive.Time == 0 {
		return nil, nil, schema.Hinted(fmt.Errorf("%s: it is damaged", out.Path(journalName)), "; without it, --force unpacks over what is there")
	}
	at := map[string]int{}
	for _, text := range lines[1:] {
		var e ManifestEntry
		if json.Unmarshal(text, &e) != nil || e.Path == "" {
			continue // a line that the run did not finish
		}
		if i, again := at[e.Path]; again {
			left.entries[i] = e
			continue
		}
		at[e.Path] = len(left.entries)
		left.entries = append(left.entries, e)
	}
	return j, left, nil
}

// note appends entries to the journal, in one step. In a folder that has not its name yet that may wait for the stamp of
// the archive, since files have their names there before.
func (x *unpacking) note(whole []prepared) error {
	x.noting.Lock()
	defer x.noting.Unlock()
	for i := range whole {
		var err error
		if x.unnoted, err = whole[i].entry.append(x.unnoted); err != nil {
			return err
		}
		x.unnoted = append(x.unnoted, '\n')
	}
	if len(x.unnoted) == 0 || x.out.Staged() && !x.late && !x.isStamped() {
		return x.noteErr
	}
	if !x.late {
		<-x.stamped
	}
	lines := x.unnoted[:len(x.unnoted)-1]
	x.unnoted = x.unnoted[:0]
	if err := cmp.Or(x.stampErr, x.noteErr); err != nil {
		return err
	}
	if x.noted {
		return x.journal.Append(lines)
	}
	head, err := json.Marshal(x.manifest.Archive)
	if err == nil {
		err = x.journal.Append(slices.Concat(head, []byte("\n"), lines))
	}
	x.noted, x.noteErr = err == nil, err
	return err
}

func (x *unpacking) isStamped() bool {
	select {
	case <-x.stamped:
		return true
	default:
		return false
	}
}

// errUnfinished is the error of a folder that is not whole.
var errUnfinished = errors.New("the run that unpacked it was stopped: run it again, it goes on where it was")

// finished returns an error when a folder was not unpacked to the end.
func finished(dir string, m *Manifest) error {
	_, left, err := openJournal(disk.Dry(dir, false))
	if err != nil || left == nil {
		return err
	}
	if m != nil && m.Archive.Size == left.archive.Size && (m.Archive.Hash == left.archive.Hash || left.archive.Hash == "" && m.Archive.Time == left.archive.Time) {
		known := make(map[string]bool, len(m.Entries))
		for _, e := range m.Entries {
			known[e.Path] = len(e.Files) > 0
		}
		whole := true
		for _, e := range left.entries {
			whole = whole && (known[e.Path] || len(e.Files) == 0)
		}
		if whole {
			return nil
		}
	}
	return fmt.Errorf("%s: %w", dir, errUnfinished)
}
