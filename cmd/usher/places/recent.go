package places

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"

	"github.com/usher-assets/usher/convert/disk"
)

// most is how many places are remembered.
const most = 8

// listName is the file with what was opened last, in the user's folder for settings.
const listName = "usher/recent.json"

func listPath() (string, error) {
	dir, err := os.UserConfigDir()
	return filepath.Join(dir, filepath.FromSlash(listName)), err
}

// Recent returns what was opened last, the last first, without what is no longer there.
func Recent() (list []Place) {
	for _, path := range remembered() {
		if _, err := os.Stat(path); err == nil {
			list = append(list, Place{Name: filepath.Base(path), Path: path})
		}
	}
	return list
}

// remembered returns the list as it was written. What cannot be read is as good as nothing: it is a convenience.
func remembered() (list []string) {
	path, err := listPath()
	if err != nil {
		return nil
	}
	b, err := os.ReadFile(path)
	if err != nil || json.Unmarshal(b, &list) != nil {
		return nil
	}
	return list
}

// Remember takes note of paths that were opened.
func Remember(paths ...string) error {
	list := remembered()
	for _, p := range slices.Backward(paths) {
		abs, err := filepath.Abs(p)
		if err != nil {
			return err
		}
		list = slices.DeleteFunc(list, func(x string) bool { return x == abs })
		list = slices.Insert(list, 0, abs)
	}
	path, err := listPath()
	if err != nil {
		return err
	}
	b, err := json.Marshal(list[:min(len(list), most)])
	if err != nil {
		return err
	}
	folder, err := disk.Open(filepath.Dir(path), true)
	if err != nil {
		return err
	}
	defer folder.Close()
	return folder.Write(filepath.Base(path), b)
}
