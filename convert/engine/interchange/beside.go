package interchange

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
)

// ReadBeside reads a file that an interchange file refers to by a relative path.
func ReadBeside(env *format.Env) func(string) ([]byte, error) {
	return func(uri string) ([]byte, error) {
		b, _, err := env.Find(uri)
		if errors.Is(err, fs.ErrNotExist) {
			if strings.Contains(uri, "..") {
				return nil, schema.Hinted(fmt.Errorf("%s not found: what lies above the file is not read", uri), "; --texture-dir names its folder, --with the file")
			}
			return nil, fmt.Errorf("%s not found", uri)
		}
		return b, err
	}
}
