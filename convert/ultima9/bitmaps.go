package ultima9

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"

	read "github.com/usher-assets/usher/read/ultima9"
)

// textureArchives are the names of the archives of textures, the best pictures first. They hold the same textures, each
// in pixels of its own; but not every slot that one has is there in the others.
var textureArchives = []string{"bitmapC.flx", "bitmap16.flx", "bitmapsh.flx"}

// bitmap is an archive of textures that is at hand.
type bitmap struct {
	*ultima9.Archive
	name string // by which it was found
	path string
}

// bitmaps opens the archives of textures at hand, the one to take pictures from first: that which the user named, then the
// usual ones.
func bitmaps(env *format.Env) (list []bitmap) {
	if env == nil {
		return nil
	}
	seen := map[string]bool{}
	for _, name := range textureNames(env) {
		r, size, path, err := env.FindAt(name)
		if err != nil || seen[path] {
			continue
		}
		seen[path] = true
		a, err := read.FLX(r, size, nil)
		if err != nil {
			env.Told().Warnf("textures", path, "%v", err)
			continue
		}
		list = append(list, bitmap{a, name, path})
	}
	return list
}

// textureNames returns where to look for textures: what the user named, as an archive and as a folder, then the usual
// names.
func textureNames(env *format.Env) []string {
	named := env.Options.Textures
	if named == "" {
		return textureArchives
	}
	names := []string{named}
	for _, n := range textureArchives {
		names = append(names, named+"/"+n)
	}
	return append(names, textureArchives...)
}

// picturesAt decodes the texture of a slot of an archive.
func (b bitmap) picturesAt(slot int, env *format.Env, d *schema.Diagnostics) (*asset.Texture, error) {
	content, err := b.Payload(slot)
	if err != nil {
		return nil, schema.In(b.path, err)
	}
	t, err := read.Texture(content, d)
	if err != nil {
		return nil, schema.In(fmt.Sprintf("%s:%d", b.path, slot), err)
	}
	own := &format.Env{Name: baseName(b.path), Entry: strconv.Itoa(slot), Files: env.Files, Options: env.Options, Diagnostics: d}
	return pictures(t, own, false)
}

// otherDepths returns the names of the archives that hold the same textures as an archive, in other pixels.
func otherDepths(archive string) []string {
	name := strings.ToLower(archive)
	if number, ok := strings.CutPrefix(name, "texture8."); ok {
		return []string{"texture16." + number}
	}
	if number, ok := strings.CutPrefix(name, "texture16."); ok {
		return []string{"texture8." + number}
	}
	if partnerName(archive) == "" {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(textureArchives), func(other string) bool { return partnerName(other) == partnerName(archive) })
}
