package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
)

// Room is a temporary folder for many files of a folder. They already have their final relative names there, and can be
// read. None of them appears in the folder itself before Commit, which renames all of them in one act.
type Room struct {
	*Folder // the room itself; its paths are shown as those that the files are to have
	in      *Folder
}

// roomName is the name of a room among the unfinished files of a run.
const roomName = "room"

// Room creates a room for files of the folder. A folder can have only one at a time.
func (f *Folder) Room() (*Room, error) {
	t, err := f.temporaries()
	if err != nil {
		return nil, err
	}
	if err := fault("mkdir", roomName); err != nil {
		return nil, &fs.PathError{Op: "mkdir", Path: f.dir, Err: err}
	}
	if err := t.root.Mkdir(roomName, 0o777); err != nil {
		return nil, err
	}
	own, err := openAt(f.dir, place{filepath.Join(f.at, t.name, roomName), true}, true, true)
	if err != nil {
		return nil, err
	}
	f.room = own
	return &Room{own, f}, nil
}

// Commit gives all files their names in the folder, the main one last. It does nothing if one of them may not be written.
func (r *Room) Commit(main string) error {
	if err := r.Folder.Close(); err != nil {
		return err
	}
	names, err := r.names()
	if err != nil {
		return err
	}
	if i := slices.Index(names, main); i > 0 {
		names = slices.Insert(slices.Delete(names, i, i+1), 0, main)
	}
	if err := flush(r.dir, r.in.syncAll); err != nil {
		return fmt.Errorf("%s: %w", r.dir, plain(err))
	}
	var act Act
	for _, name := range names {
		p, err := r.prepared(name)
		if err != nil {
			return err
		}
		act.Add(p)
	}
	return act.Commit()
}

// names lists the files of the room.
func (r *Room) names() (list []string, err error) {
	below, err := r.in.temporary.root.OpenRoot(roomName)
	if errors.Is(err, fs.ErrNotExist) { // it was empty
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer below.Close()
	err = fs.WalkDir(below.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			list = append(list, name)
		}
		return err
	})
	return list, err
}

// prepared returns a file of the room as one that is whole and has not its name yet.
func (r *Room) prepared(name string) (*Pending, error) {
	old, err := r.in.replaced(name)
	if err != nil {
		return nil, err
	}
	at := path.Join(roomName, name)
	if old != nil {
		if err := r.keepMode(at, old); err != nil {
			return nil, r.in.named(name, err)
		}
	}
	info, err := r.in.temporary.root.Lstat(filepath.FromSlash(at))
	if err != nil {
		return nil, r.in.named(name, err)
	}
	return &Pending{Size: info.Size(), Time: info.ModTime().UnixNano(), info: info, folder: r.in.Durable(), name: name, temporary: at, old: old != nil, synced: true}, nil
}

func (r *Room) keepMode(at string, old fs.FileInfo) error {
	file, err := r.in.temporary.root.OpenFile(filepath.FromSlash(at), os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer file.Close()
	return keepMode(file, old)
}

// Put writes one file into a room, or into another folder that still has a temporary name. The file is on disk when all of
// them are.
func (f *Folder) Put(name string, content []byte) error {
	p, err := f.PrepareContent(name, content)
	if err != nil {
		return err
	}
	return p.Commit()
}
