package engine

import "os"

// Source is one input: a file, or an entry of an archive.
type Source struct {
	Path  string // of the file on disk
	Entry string // of the entry inside it; empty for the file itself
	Rel   string // path below the folder or archive that was named, with slashes: where its outputs belong
	Size  int64
	Named bool // by the user himself; a file below a folder that he named is not
}

// String returns the source as a user would type it.
func (s Source) String() string {
	if s.Entry == "" {
		return s.Path
	}
	return s.Path + ":" + s.Entry
}

// ParseOperand splits an operand into a path and the entry behind it: "sappear.flx:42". A path that exists as it is
// has no entry; the entry begins after the first colon whose left side is a file.
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
