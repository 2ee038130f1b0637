package worktree

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"sync"

	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/engine/find"
	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/engine/interchange"
	"github.com/usher-assets/usher/convert/engine/store"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/work/batch"
	"github.com/usher-assets/usher/schema"
)

// Unpacking unpacks an archive into a folder of editable files and a manifest.
type Unpacking struct {
	Loader    engine.Loader
	Selection batch.Selection
	Raw       bool   // write payloads as stored
	To        string // extension for entries that can be converted to it; empty takes the default of each kind
	Force     bool
	DryRun    bool
	Session   batch.Session
}

// Run unpacks one archive into the folder dir. After an interruption, it continues where it stopped. Runs with a common
// loader made by Sharing list the folders around their archives only once.
func (u *Unpacking) Run(ctx context.Context, archive, dir string, emit func(batch.Result)) (err error) {
	if err := u.Selection.Validate(); err != nil {
		return err
	}
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return fmt.Errorf("%s is a file: unpack wants a folder", dir)
	}
	if !u.Loader.Shares() {
		own := *u
		own.Loader = u.Loader.Sharing()
		return own.Run(ctx, archive, dir, emit)
	}
	d := new(schema.Diagnostics)
	a, err := store.OpenArchive(archive, u.Loader.From, u.Loader.Env(archive, d))
	if err != nil {
		return fmt.Errorf("%s: %w", archive, err)
	}
	defer a.Close()
	x := &unpacking{Unpacking: u, archive: a, out: disk.Dry(dir, u.Force), manifest: newManifest(a, dir, u.Loader.Options.CodePage), stamped: make(chan struct{})}
	x.manifest.Archive.Stamp = a.Unhashed()
	if !u.DryRun {
		if x.out, x.lock, err = disk.Claim(dir, u.Force, "unpack"); err != nil {
			return err
		}
		defer x.out.Close()
		defer x.lock.Release()
		defer func() { err = cmp.Or(err, x.out.Settle()) }()
	}
	if err := x.readEarlier(dir); err != nil {
		return err
	}
	defer x.journal.Close()
	if x.startStamp() {
		defer func() { <-x.stamped }() // it reads the archive
	}
	if list := d.All(); len(list) > 0 {
		emit(batch.Result{Source: archive, Format: a.Format.Name, Status: batch.Opened, Diagnostics: list})
	}
	return x.run(ctx, emit)
}

// unpacking is one run of an Unpacking.
type unpacking struct {
	*Unpacking
	archive  *store.Archive
	out      *disk.Folder
	lock     *disk.Lock // nil in a dry run
	manifest *Manifest
	stamped  chan struct{} // closed when stampErr and the manifest's stamp of the archive are known
	stampErr error
	journal  *disk.Journal
	earlier  map[string]ManifestEntry // entries that an earlier run of the same archive wrote
	begun    map[string]bool          // those of them that only the journal knows: that run was killed
	before   map[string]disk.Stamp    // the files that are there, by name, as they were written; of a run that overwrites
	since    int64                    // when those were known to be true
	noting   sync.Mutex
	unsure   bool   // the run that wrote the journal did not know the hash of its archive yet
	late     bool   // the archive is hashed as its entries are read
	noted    bool   // the journal has its head
	noteErr  error  // it could not get that
	unnoted  []byte // lines that it is to have
	names    disk.Names
	entries  []ManifestEntry // by number of the job
}

// readEarlier takes over what an earlier, interrupted run left in dir. Another archive's folder is refused.
func (x *unpacking) readEarlier(dir string) (err error) {
	x.earlier, x.begun = map[string]ManifestEntry{}, map[string]bool{}
	var left *unfinished
	if x.journal, left, err = openJournal(x.out); err != nil {
		return err
	}
	m, err := readManifest(x.out.Place(""))
	if errors.Is(err, fs.ErrNotExist) {
		m, err = nil, nil
	}
	if err != nil && !(x.Force && left == nil) { // a damaged manifest is overwritten as well
		return err
	}
	x.noteBefore(m)
	if m != nil || left != nil {
		if x.stamp(); x.stampErr != nil {
			return x.stampErr
		}
	}
	for _, from := range []*ManifestArchive{archiveOf(m), left.of()} {
		if from != nil && from.CodePage != x.manifest.Archive.CodePage && !x.Force {
			return from.otherPage(dir)
		}
		if from == nil || x.manifest.Archive.compare(*from) != disk.Different {
			continue
		}
		if !x.Force {
			return schema.Hinted(fmt.Errorf("%s holds another archive, %s", dir, from.Path), "; --force unpacks over it")
		}
		m, left = nil, nil // what is there is overwritten
		if !x.DryRun {
			if err := x.journal.Remove(); err != nil {
				return err
			}
		}
	}
	if m != nil {
		for _, e := range m.Entries {
			x.earlier[e.Path] = e
		}
	}
	if left != nil {
		x.noted, x.unsure = true, x.manifest.Archive.compare(left.archive) == disk.Unknown || left.archive.Hash == ""
		for _, e := range left.entries {
			x.earlier[e.Path], x.begun[e.Path] = e, true
		}
	}
	return nil
}

// noteBefore notes what the files of the folder were, for a run that overwrites them.
func (x *unpacking) noteBefore(m *Manifest) {
	if m == nil || !x.Force {
		return
	}
	x.before, x.since = map[string]disk.Stamp{}, m.Time
	for _, e := range m.Entries {
		for _, f := range e.Files {
			x.before[f.Name] = f.Stamp
		}
	}
}

// tellLost names the files that somebody has edited since they were written, and that are about to be overwritten.
func (x *unpacking) tellLost(files []format.File, d *schema.Diagnostics) {
	for _, f := range files {
		was, known := x.before[f.Name]
		if !known {
			continue
		}
		p := x.out.Place(f.Name)
		info, err := disk.Lstat(p)
		if err != nil || !info.Mode().IsRegular() {
			continue // there is no edit, or it is refused
		}
		if same, err := was.Same(p, info, x.since); err == nil && !same {
			d.Hint(": --force takes the edit away").Warnf("edit-overwritten", "", "%s was edited since it was unpacked", f.Name)
		}
	}
}

// stampAhead is the size from which on it takes long to find out which archive it is: files are written meanwhile.
const stampAhead = 16 << 20

func (x *unpacking) stamp() {
	defer close(x.stamped)
	x.manifest.Archive.Stamp, x.stampErr = x.archive.Stamp()
}

// startStamp arranges for the archive's stamp to be known at the end, and reports whether another goroutine reads the
// archive for it. If the whole archive is copied into a new folder, it is read only once: until then the folder counts as
// incomplete.
func (x *unpacking) startStamp() (reads bool) {
	switch {
	case x.isStamped():
	case x.out.Staged() && !slices.ContainsFunc(x.archive.Entries(), func(e format.Entry) bool { return !x.raw(e) }):
		x.late = true
		x.archive.HashOnTheWay()
	case x.archive.Size < stampAhead:
		x.stamp()
	default:
		go x.stamp()
		return true
	}
	return false
}

func archiveOf(m *Manifest) *ManifestArchive {
	if m == nil {
		return nil
	}
	return &m.Archive
}

func (x *unpacking) run(ctx context.Context, emit func(batch.Result)) error {
	shares := x.shares()
	whole, err := x.sheet()
	if err != nil {
		return err
	}
	if whole != nil {
		x.entries = make([]ManifestEntry, 1)
		shares = slices.Values([]share{{Size: x.archive.Size, Do: func(ctx context.Context) []batch.Result { return x.unpackSheet(ctx, whole) }}})
	}
	matched, tally := 0, batch.BareTally{Emit: emit}
	err = batch.Run(ctx, x.Session, shares, func(results []batch.Result) (goOn bool) {
		goOn = true
		for _, r := range results {
			matched++
			tally.Take(r)
			goOn = goOn && (r.Err == nil || !x.Session.FailFast)
		}
		return goOn
	})
	tally.Flush()
	if !x.DryRun && (matched > 0 || len(x.entries) == 0) {
		x.manifest.Entries = slices.DeleteFunc(x.entries, func(e ManifestEntry) bool { return len(e.Files) == 0 })
		if saving := x.save(); err == nil {
			err = saving
		}
	}
	if err == nil && matched == 0 && len(x.archive.Entries()) > 0 {
		err = formats.ErrNothing
	}
	return err
}

// save writes the manifest, when all that it speaks of is on the disk. The journal has done its work then.
func (x *unpacking) save() error {
	if x.late {
		x.stamp()
	}
	<-x.stamped
	if err := cmp.Or(x.stampErr, x.note(nil), x.out.Sync()); err != nil {
		return err
	}
	x.manifest.Time = x.lock.Now()
	if err := x.manifest.save(x.out, ""); err != nil {
		return err
	}
	return x.journal.Remove()
}

// raw reports whether an entry is written as it is stored.
func (x *unpacking) raw(e format.Entry) bool {
	return x.Raw || e.Kind == format.Raw || e.Format == nil || e.Format.Read == nil
}

// current reports whether an earlier run wrote all files of an entry, and they are still there.
func (x *unpacking) current(e format.Entry) ([]store.Output, bool) {
	earlier, ok := x.earlier[e.Path]
	if !ok || x.Force || len(earlier.Files) == 0 {
		return nil, false
	}
	var outputs []store.Output
	for _, f := range earlier.Files {
		if _, err := x.out.Stat(f.Name); err != nil || x.begun[e.Path] && x.out.Damaged(f.Name, f.Stamp) {
			return nil, false
		}
		outputs = append(outputs, store.Output{Path: x.out.Path(f.Name), Size: f.Size})
	}
	return outputs, true
}

// otherForm reports whether an earlier run made another kind of file of an entry than is asked for now.
func (x *unpacking) otherForm(e format.Entry) bool {
	earlier := x.earlier[e.Path]
	if raw := earlier.Format == ""; raw || x.raw(e) || x.To == "" {
		return raw != x.raw(e)
	}
	ext, want := path.Ext(earlier.Files[0].Name), x.target(e.Format).Extension
	if ext == ".png" && want == ".apng" { // its frames are not of one size
		return false
	}
	_, err := engine.ParseTarget(ext, nil) // an MP3 is what a sound may be as well
	return ext != want && (interchange.ByExtension(ext) != nil || err == nil)
}

// rawExtension is the extension of a payload as it is stored.
const rawExtension = ".bin"

// files returns what an entry becomes: interchange files where its format has them, else the stored bytes. An entry
// that cannot be read is not lost: it comes out raw, with a warning. An error is that of a file beside the archive, which is
// there and could not be read: another time it may be.
func (x *unpacking) files(e selected, l *store.Loan, d *schema.Diagnostics) ([]format.File, *format.Format, error) {
	raw := []format.File{{Name: e.stem + rawExtension, Content: l.Payload}}
	if x.archive.Abilities().Files {
		raw[0].Name = e.stem
	}
	if x.raw(*e.Entry) {
		return raw, nil, nil
	}
	env := x.Loader.Env(x.archive.Path, d)
	env.Scratch = &l.Scratch
	it, err := x.Loader.ReadEntry(x.archive, e.number, l.Payload, env)
	if err == nil {
		it.Plain = true // the archive itself is what the way back needs
		var files []format.File
		if files, err = engine.Export(it, x.target(it.Format), e.stem); err == nil {
			return files, it.Format, nil
		}
	}
	if err := find.Unread(env); err != nil {
		return nil, nil, err
	}
	if errors.Is(err, schema.ErrBare) {
		d.Notef(schema.NoContent, e.Path, "written as stored: %v", err)
		return raw, nil, nil
	}
	d.Warnf("kept-raw", e.Path, "written as stored: %v", err)
	return raw, nil, nil
}

func (x *unpacking) target(f *format.Format) engine.Target {
	if x.To != "" {
		t, err := engine.ParseTarget(x.To, nil)
		if err == nil && (t.Carries(f) || t.Format != nil && slices.Contains(f.Editable, t.Format.Name)) {
			return t
		}
	}
	return engine.ShownAs(f)
}

// ours reports whether the files of an entry that a killed run had begun are its own, as far as they are there.
func (x *unpacking) ours(e ManifestEntry) bool {
	return !slices.ContainsFunc(e.Files, func(f ManifestFile) bool { return !x.out.Ours(f.Name, f.Stamp) })
}
