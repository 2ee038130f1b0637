package engine

import (
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
)

// What cannot be made from an asset says what to do instead.
func TestCannotMake(t *testing.T) {
	for _, tt := range []struct {
		f    format.Format
		want string
	}{
		{format.Format{Name: "x", Create: func(*format.Env) (format.ArchiveFile, error) { return nil, nil }}, `x is an archive: put the files into a folder`},
		{format.Format{Name: "x"}, `x exists in archives only: put the file back into the folder`},
		{format.Format{Name: "x", Read: func([]byte, *schema.Diagnostics) (any, error) { return nil, nil }}, `x cannot be made from other formats`},
	} {
		if err := cannotMake(&tt.f); !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%v, want %s", err, tt.want)
		}
	}
}
