package worktree

import (
	"context"
	"io"
	"strings"

	"github.com/usher-assets/usher/schema"
)

// Shared is something that an edited file changes, and that lies in a file which other models use as well.
type Shared struct {
	Name    string // of the material or the texture
	Library string // the path of the file
	Msg     string // who uses it, in words
}

// SharedError is the error of an edited file that changes what other models use as well, when nobody has said where that goes.
type SharedError []Shared

func (l SharedError) Error() string {
	var lines []string
	for _, x := range l {
		lines = append(lines, x.Name+": "+x.Msg)
	}
	return strings.Join(lines, "\n")
}

func (l *SharedError) add(d *schema.Diagnostic) {
	if d.Code == schema.SharedLibrary {
		*l = append(*l, Shared{d.Path, d.About, d.Msg})
	}
}

// askShared is the answer that nobody has given yet.
const askShared = "ask"

// PutShared is Put for a whole file that may change what other models use as well. Where shared is empty, nothing is done then, and the
// error is a [SharedError]; else it says where that goes, as format.FreelancerOptions has it. What is left to another file is not
// told: put the same there.
func (d *Draft) PutShared(ctx context.Context, entry, name string, content io.Reader, shared string) (*Step, error) {
	if shared == "" {
		shared = askShared
	}
	return d.put(ctx, &Step{Verb: "replace", Entry: entry}, name, content, shared)
}
