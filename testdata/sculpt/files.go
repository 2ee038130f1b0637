package sculpt

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/media"
)

// Files makes all of testdata/show: content by name.
func Files() (map[string][]byte, error) {
	files := map[string][]byte{}
	for _, make := range []func(files map[string][]byte) error{shipFiles, grazerFiles, hallFiles, villageFiles} {
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
	f := formats.ByName(path.Ext(name)[1:])
	env := &format.Env{Name: name, Output: strings.TrimSuffix(name, path.Ext(name)), Options: o}
	env.Emit = func(name string, content []byte) error {
		files[name] = content
		return nil
	}
	b, err := lowered(f, s, env, expected...)
	files[name] = b
	return err
}

func lowered(f *format.Format, a asset.Asset, env *format.Env, expected ...string) ([]byte, error) {
	env.Diagnostics = new(schema.Diagnostics)
	v, err := engine.Lower(f, a, env)
	if err != nil {
		return nil, err
	}
	for _, x := range env.Diagnostics.All() {
		if x.Severity >= schema.Warning && !slices.Contains(expected, x.Code) {
			return nil, fmt.Errorf("%s: %v", env.Name, x)
		}
	}
	return f.Write(v)
}
