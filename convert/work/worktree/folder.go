package worktree

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/engine/interchange"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/work/batch"
)

// ignoreName is the file of a folder that says in the syntax of gitignore what in it is not to be packed.
const ignoreName = ".usherignore"

// leftovers are what editors and systems leave beside the files that people work on.
var leftovers = sync.OnceValue(func() *ignoring {
	return newIgnoring(strings.Fields(`
	*.blend *.blend[0-9]* *.xcf *.psd *.psb *.kra *.kra~ *.ora *.afphoto *.aup3 *~ *.bak *.tmp *.swp .#* ~$*
	Thumbs.db ehthumbs.db desktop.ini Desktop.ini .DS_Store ._* .git .hg .svn __MACOSX`))
})

// lister lists the files of a folder that a manifest does not know.
type lister struct {
	*packing
	known   map[string]bool
	ignored *ignoring // nil without a file that says so
	files   []string
}

// unknownFiles returns the files of the folder that are not known and not ours, by name. Most files are known, and of
// those only the names are read. What cannot be packed is noted.
func (x *packing) unknownFiles(known map[string]bool) ([]string, error) {
	l := &lister{packing: x, known: known}
	text, err := x.folder.ReadFile(ignoreName)
	switch {
	case err == nil:
		var lines []string
		for s := bufio.NewScanner(bytes.NewReader(bytes.TrimPrefix(text, []byte("\ufeff")))); s.Scan(); {
			lines = append(lines, s.Text())
		}
		l.ignored = newIgnoring(lines)
	case errors.Is(err, disk.ErrNotOwn):
		return nil, err
	case !errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s: %w", x.folder.Path(ignoreName), disk.PlainError(err))
	}
	return l.files, l.list("")
}

// list adds the files below one of the folders, named with a slash at the end.
func (l *lister) list(below string) error {
	inside, err := readNames(filepath.Join(l.dir, filepath.FromSlash(below)))
	if err != nil {
		return err
	}
	for _, base := range inside {
		name := below + base
		if l.known[name] || below == "" && ours(base) || base == batch.RecordName {
			continue
		}
		if err := l.add(name, base); err != nil {
			return err
		}
	}
	return nil
}

// ours reports whether a name is that of a file that is here for usher itself.
func ours(base string) bool {
	return disk.IsTemporary(base) || disk.IsLock(base) || base == disk.KeptName || slices.Contains([]string{ManifestName, nextName, journalName, ignoreName, batch.RecordName}, base)
}

func readNames(dir string) ([]string, error) {
	if disk.Fault != nil {
		if err := disk.Fault("list", dir); err != nil {
			return nil, &fs.PathError{Op: "readdir", Path: dir, Err: err}
		}
	}
	folder, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	defer folder.Close()
	inside, err := folder.Readdirnames(-1)
	slices.Sort(inside)
	return inside, err
}

func (l *lister) add(name, base string) error {
	p := filepath.Join(l.dir, filepath.FromSlash(name))
	info, err := disk.Lstat(p)
	if err != nil {
		return err
	}
	switch {
	case leftovers().match(base, info.IsDir()):
		l.diagnostics.Notef("leftover", name, "passed over: an editor or the system left it")
		return nil
	case strings.HasPrefix(base, "."):
		return nil
	case l.ignored.match(name, info.IsDir()):
		l.diagnostics.Notef("ignored", name, "passed over, as %s says", ignoreName)
		return nil
	case info.Mode()&fs.ModeSymlink != 0 && l.FollowLinks:
		if info, err = disk.Stat(p); err != nil {
			l.fail("", disk.PlainError(err), name)
			return nil
		}
		if info.IsDir() && l.above(p) {
			l.fail("", errors.New("the link leads to a folder that it is in"), name)
			return nil
		}
	case info.Mode()&fs.ModeSymlink != 0 && l.Selection.Match(name):
		l.fail("", errLink, name)
		return nil
	}
	switch {
	case info.IsDir():
		return l.list(name + "/")
	case !l.Selection.Match(name):
		l.diagnostics.Notef("passed-over", name, "left out as you asked")
	case !info.Mode().IsRegular():
		l.fail("", disk.ErrSpecial, name)
	default:
		l.files = append(l.files, name)
	}
	return nil
}

// above reports whether a linked folder holds the link itself.
func (l *lister) above(link string) bool {
	to, err1 := filepath.EvalSymlinks(link)
	from, err2 := filepath.EvalSymlinks(filepath.Dir(link))
	if err1 != nil || err2 != nil {
		return true
	}
	rel, err := filepath.Rel(to, from)
	return err == nil && (rel == "." || filepath.IsLocal(rel))
}

// renamed gives the files of entries that are gone the names that they have now, where only the title in them is another:
// "107_new.glb" is still entry 107. It returns the other new files.
func (x *packing) renamed(added []string, states []fileState) (rest []string) {
	if len(added) == 0 {
		return nil
	}
	taken := map[string]bool{}
	for i := range states {
		e := &x.manifest.Entries[i]
		if e.Title == "" && !numbered(e.Path) || len(states[i].gone) == 0 || len(states[i].gone) < len(e.Files) {
			continue
		}
		names, several := newNames(*e, added, taken)
		if several {
			x.fail(e.Path, fmt.Errorf("%s could all be this entry, whose file is gone: leave one of them", strings.Join(names, ", ")), e.Files[0].Name)
			states[i].gone = nil
		}
		if len(names) == 0 {
			continue
		}
		for _, name := range names {
			taken[name] = true
		}
		if several {
			continue
		}
		x.diagnostics.Notef("renamed", e.Path, "%s is called %s now", e.Files[0].Name, names[0])
		for k := range e.Files {
			e.Files[k].Name = names[k]
		}
		states[i] = x.state(*e)
	}
	return slices.DeleteFunc(slices.Clone(added), func(name string) bool { return taken[name] })
}

// numbered reports whether a path is the number of a slot: what stands behind it in the name of a file is a title, even
// where the entry had none.
func numbered(path string) bool { return path != "" && strings.Trim(path, "0123456789") == "" }

// newNames returns the new names of an entry's files, one for each; or of all files that could be the first of them, when
// there are several.
func newNames(e ManifestEntry, added []string, taken map[string]bool) (names []string, several bool) {
	old := interchange.PictureStem(e.Files[0].Name)
	own := disk.SafePath(e.Path)
	if old != own && !strings.HasPrefix(old, own+"_") {
		return nil, false // it was named otherwise, to keep it apart from another one
	}
	var stems, firsts []string
	for _, name := range added {
		stem, first := strings.CutSuffix(name, e.Files[0].Name[len(old):])
		if first && !taken[name] && path.Dir(name) == path.Dir(old) && (stem == own || strings.HasPrefix(stem, own+"_")) {
			stems, firsts = append(stems, stem), append(firsts, name)
		}
	}
	if len(stems) != 1 {
		return firsts, len(stems) > 1
	}
	for _, f := range e.Files {
		name := stems[0] + strings.TrimPrefix(f.Name, old)
		if !slices.Contains(added, name) {
			return nil, false
		}
		names = append(names, name)
	}
	return names, false
}

// resaved gives entries whose only file is gone the one that an editor has saved in another format in its place: "8.tga"
// is still entry 8, which was 8.png, and Theme.s3m the music that was Theme.it. It returns the other new files.
func (x *packing) resaved(added []string, states []fileState) (rest []string) {
	if len(added) == 0 {
		return nil
	}
	type place struct{ stem, kind string }
	entries := make(map[place]int, len(states))
	for i := range states {
		if e := &x.manifest.Entries[i]; len(e.Files) == 1 && (e.Format != "" || path.Ext(e.Files[0].Name) == rawExtension) {
			entries[place{withoutExtension(e.Files[0].Name), e.Kind}] = i
		}
	}
	for _, name := range added {
		i, known := -1, false
		kinds, own := kindsOf(path.Ext(name))
		for _, kind := range kinds {
			if i, known = entries[place{withoutExtension(name), kind.String()}]; known {
				break
			}
		}
		if !known {
			rest = append(rest, name)
			continue
		}
		e := &x.manifest.Entries[i]
		switch {
		case len(states[i].gone) > 0 && (e.Format != "" || x.takesFormat(e)):
			x.diagnostics.Notef("resaved", e.Path, "%s is there in the place of %s", name, e.Files[0].Name)
			e.Files[0].Name = name
			states[i] = x.state(*e)
		case own: // it may go into the entry of the other one, or be called like another of another class
			rest = append(rest, name)
		default:
			x.fail(e.Path, fmt.Errorf("%s is the file of this entry, and there too: take one of the two away", e.Files[0].Name), name)
		}
	}
	return rest
}

// takesFormat gives an entry that came out as it is stored, since there was nothing in it, the format that it has in the
// archive. It reports whether it has one.
func (x *packing) takesFormat(e *ManifestEntry) bool {
	i, err := x.base.Find(e.Path)
	if err != nil {
		return false
	}
	f := x.base.Entries()[i].Format
	if f == nil {
		return false
	}
	e.Format = f.Name
	return true
}

// kindsOf returns the kinds of content that files of an extension have. own is set for JSON, which has every kind, and for
// files of the games.
func kindsOf(ext string) (kinds []format.Kind, own bool) {
	if form := interchange.ByExtension(ext); form != nil {
		return form.Kinds, form.Name == "json"
	}
	for _, f := range formats.ByExtension(ext) {
		if f.Lift != nil {
			kinds = append(kinds, f.Kind)
		}
	}
	return kinds, true
}

func withoutExtension(name string) string { return strings.TrimSuffix(name, path.Ext(name)) }
