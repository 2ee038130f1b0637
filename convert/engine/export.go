package engine

import (
	"fmt"
	"path"
	"strings"

	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/engine/find"
	"github.com/usher-assets/usher/convert/engine/interchange"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema/asset"
)

// Export converts an item to files: first the main file, called stem with the target's extension, then its companions.
func Export(it *interchange.Item, t Target, stem string) ([]format.File, error) {
	if it == nil || it.Env == nil {
		return nil, errNothing
	}
	files, err := export(it, t, stem)
	if err == nil {
		err = find.Unread(it.Env)
	}
	return files, err
}

// checkAnimation returns an error when the options name an animation that a model does not have. A file that holds all
// of them has no other use for the name.
func checkAnimation(it *interchange.Item) error {
	want := it.Env.Options.Animation
	if want == "" {
		return nil
	}
	a, err := it.Lift()
	if err != nil {
		return err
	}
	s, ok := a.(*asset.Scene)
	if !ok {
		return nil
	}
	var names []string
	for _, a := range s.Animations {
		if a.Name == want {
			return nil
		}
		names = append(names, a.Name)
	}
	if len(names) == 0 {
		return fmt.Errorf("it has no animation %q: it has none", want)
	}
	return fmt.Errorf("it has no animation %q, but %s", want, strings.Join(names, ", "))
}

func export(it *interchange.Item, t Target, stem string) ([]format.File, error) {
	if t.interchange != nil {
		if err := checkAnimation(it); err != nil {
			return nil, err
		}
		return t.interchange.Encode(it.ViewedIn(t.interchange), stem+t.Extension)
	}
	stem = t.stem(stem)
	var companions []format.File
	env := *it.Env
	env.Stored = nil // belongs to what is lifted
	env.Output = path.Base(stem)
	env.Emit = func(name string, content []byte) error {
		companions = append(companions, format.File{Name: path.Join(path.Dir(stem), disk.SafePath(name)), Content: content})
		return nil
	}
	v := it.Value
	adds := env.Options.Adds() && t.Format.Kind == format.Model // to a model of the same format as well
	straight := false
	if it.Format != nil && it.Format.Into != nil {
		out, ok, err := it.Format.Into(it.Value, t.Format.Name, &env)
		if err != nil {
			return nil, err
		}
		if straight = ok; ok {
			v = out
		}
	}
	if !straight && (it.Format == nil || it.Format.Name != t.Format.Name || adds) {
		a, err := it.Lift()
		if err != nil {
			return nil, err
		}
		if t.Format.Lower == nil {
			return nil, cannotMake(t.Format)
		}
		if o, ok := it.Env.Original.(*interchange.Original); ok && it.Asset != nil {
			if err := o.CompleteFor(t.Format, a); err != nil {
				return nil, err
			}
		}
		if s, ok := a.(*asset.Scene); ok && !t.Format.Piecewise {
			if err := s.LoadAll(); err != nil {
				return nil, err
			}
			if err := checkCopies(t.Format, s); err != nil {
				return nil, err
			}
		}
		if v, err = Lower(t.Format, a, &env); err != nil {
			return nil, err
		}
	}
	if t.Format.Write == nil {
		return nil, interchange.Unbound(t.Format)
	}
	b, err := t.Format.Encode(v)
	if err != nil {
		return nil, err
	}
	return append([]format.File{{Name: t.name(stem), Content: b}}, companions...), nil
}
