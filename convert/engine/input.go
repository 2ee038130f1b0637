package engine

import "os"

// Source is one input: a file, or an entry of an archive.
type Source struct {
	Path  string // of the file on disk
	Entry string // of the entry inside it; empty for the file itself
	Rel   string // path below the folder or archive that the user named, with slashes; the outputs get it too
	Size  int64
	Named bool // the user named it; false for a file found in a folder
}

// String returns the source as a user would type it.
func (s Source) String() string {
	if s.Entry == "" {
		return s.Path
	}
	return s.Path + ":" + s.Entry
}

// ParseOperand splits an operand into the path of a file and the entry after it: "sappear.flx:42". If the whole operand is
// an existing path, there is no entry. Otherwise the entry begins after the first colon with a file's path before it.
func ParseOperand(operand string) (path, entry string, err error) {
	_, err = os.Stat(operand)
	if err == nil {
		return operand, "", nil
	}
	for i := range len(operand) {
		if operand[i] != ':' || i == 0 || i == len(operand)-1 {
			continue
		}
		if info, e := os.Stat(operand[:i]); e == nil && info.Mode().IsRegular() {
			return operand[:i], operand[i+1:], nil
		}
	}
	return "", "", err
}
