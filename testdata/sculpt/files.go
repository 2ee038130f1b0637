package sculpt

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/usher-assets/usher/convert"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/media"
)

// Files makes all of testdata/show: content by name.
func Files() (map[string][]byte, error) {
	files := map[string][]byte{}
	for _, make := range []func(files map[string][]byte) error{shipFiles, grazerFiles, hallFiles} {
		if err := make(files); err != nil {
			return nil, err
		}
	}
	return files, nil
}

func shipFiles(files map[string][]byte) error {
	return lower(files, "heron.cmp", ship(), format.Options{Effort: media.Best, Freelancer: format.FreelancerOptions{Hulls: true, MaterialsApart: true}})
}

func grazerFiles(files map[string][]byte) error {
	return lower(files, "grazer.u3d", grazer(), format.Options{Effort: media.Best}, "rest-pose")
}

// lower makes a file of a scene, and those that belong to it. What the format cannot hold of it is an error, but for the
// losses that are expected.
func lower(files map[string][]byte, name string, s *asset.Scene, o format.Options, expected ...string) error {
	f := convert.FormatByName(path.Ext(name)[1:])
	d := new(schema.Diagnostics)
	env := &format.Env{Name: name, Output: strings.TrimSuffix(name, path.Ext(name)), Options: o, Diagnostics: d}
	env.Emit = func(name string, content []byte) error {
		files[name] = content
		return nil
	}
	v, err := convert.Lower(f, s, env)
	if err != nil {
		return err
	}
	for _, x := range d.All() {
		if x.Severity >= schema.Warning && !slices.Contains(expected, x.Code) {
			return fmt.Errorf("%s: %v", name, x)
		}
	}
	files[name], err = f.Write(v)
	return err
}
