package view

import (
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/usher-assets/usher/convert/format"
)

// imported is an import of the page's own modules: one line each.
var imported = format.Pattern(`(?m)^import \{[^}]*\} from '\./([a-z]+\.js)';\n`)

// bundle joins the modules of the page to one script, each behind those that it uses. Browsers refuse modules of pages
// that were opened from disk. The names at the top of all modules are different ones.
func bundle(files fs.FS, first ...string) (string, error) {
	var out strings.Builder
	done := map[string]bool{}
	var add func(name string) error
	add = func(name string) error {
		if done[name] {
			return nil
		}
		done[name] = true
		b, err := fs.ReadFile(files, path.Clean(name))
		if err != nil {
			return err
		}
		text := string(b)
		for _, m := range imported().FindAllStringSubmatch(text, -1) {
			if err := add(m[1]); err != nil {
				return err
			}
		}
		text = imported().ReplaceAllString(text, "")
		text = strings.ReplaceAll(text, "\nexport ", "\n")
		_, err = fmt.Fprintf(&out, "\n// %s\n%s", name, strings.TrimPrefix(text, "// @ts-check\n"))
		return err
	}
	for _, name := range first {
		if err := add(name); err != nil {
			return "", err
		}
	}
	return "'use strict';\n(async () => {" + out.String() + "})();\n", nil
}
