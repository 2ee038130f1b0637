package interchange

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/exchange/json"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// sidecar is the JSON file beside a PNG or WAV that holds what those cannot: the native residue of the texture or
// sound, and the pictures of a texture that has several.
type sidecar struct {
	Native   *asset.Native
	Alpha    asset.AlphaMode  `json:",omitzero"`
	FPS      float32          `json:",omitzero"`
	Pictures []sidecarPicture `json:",omitempty"`
	Sheet    *sheetPlaces
	Check    *string // the seal of Native, see [scene.Seal]; none in files of earlier versions
}

// sidecarPicture is one picture of a texture, in order; a face above 0 belongs to the frame before it.
type sidecarPicture struct {
	File string
	Face int `json:",omitzero"`
}

// SidecarExtension replaces the extension of a file in the name of its sidecar.
const SidecarExtension = ".usher.json"

// IsSidecar reports whether a file name is that of a sidecar.
func IsSidecar(name string) bool { return strings.HasSuffix(name, SidecarExtension) }

// withSidecar appends the sidecar of files to them, unless it would be empty or the item is only for looking at. Its
// name is main with the sidecar's extension in place of its own.
func (it *Item) withSidecar(files []format.File, main string, sc *sidecar) ([]format.File, error) {
	if it.Plain || sc.Native == nil && len(sc.Pictures) == 0 && sc.Sheet == nil {
		return files, nil
	}
	var room []byte
	if sc.Native != nil {
		const texts = 2 << 10 // beside the payload, mostly
		room = make([]byte, 0, base64.StdEncoding.EncodedLen(len(sc.Native.Payload))+texts)
		seal := scene.Seal(sc.Native.Values, sc.fixed())
		sc.Check = &seal
	}
	content, err := json.Append(room, sc)
	if err != nil {
		return nil, err
	}
	return append(files, format.File{Name: formats.Stem(main) + SidecarExtension, Content: content}), nil
}

// pictureSuffix is what pictureName puts between the stem and the extension.
var pictureSuffix = format.Pattern(`(\.f\d{3,})?(\.[+-][xyz])?$`)

// PictureStem returns a file name without its extension and the number of a picture.
func PictureStem(name string) string { return pictureSuffix().ReplaceAllString(formats.Stem(name), "") }

// readSidecar looks for the sidecar of the input and hands it to use. A missing one is no error.
func readSidecar(env *format.Env, use func(*sidecar)) error {
	b, p, err := env.Find(formats.Stem(env.Name)+SidecarExtension, PictureStem(env.Name)+SidecarExtension)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	sc := new(sidecar)
	if err := json.Decode(bytes.NewReader(b), sc); err != nil {
		return fmt.Errorf("%s: %w", p, err)
	}
	if n := sc.Native; n != nil && n.Format != "" && formats.ByName(n.Format) == nil {
		if more := meant(n.Format); more != "" {
			return fmt.Errorf("%s: Native.Format: there is no format %q%s", p, n.Format, more)
		}
		env.Diagnostics.Warnf("values-edited", p, "Native.Format: there is no format %q, so nothing is made of the values of Native", n.Format)
	}
	if sc.Native != nil && sc.Check != nil {
		tellEdited(p, sc, env.Diagnostics)
	}
	use(sc)
	return nil
}

// fixed are the values of a sidecar beside those of its Native, for [scene.Seal].
func (sc *sidecar) fixed() map[string]any {
	return map[string]any{"Alpha": int(sc.Alpha), "FPS": sc.FPS, "Payload": len(sc.Native.Payload) > 0}
}

// tellEdited names what somebody edited in a sidecar that is for reading only.
func tellEdited(p string, sc *sidecar, d *schema.Diagnostics) {
	for _, key := range scene.Broken(*sc.Check, sc.Native.Values, sc.fixed()) {
		if key == "" {
			d.Warnf("values-edited", p, "a value of Native is gone, or has a name that usher did not write: there are %s; what is gone keeps the value that it had", strings.Join(slices.Sorted(maps.Keys(sc.Native.Values)), ", "))
			continue
		}
		d.Warnf("values-edited", p, "%s was edited: it is for reading only, and what is made of the edit is not promised", key)
	}
}

// meant names the format that somebody may have meant by a name that is none.
func meant(name string) string {
	if formats.ByName(name) != nil {
		return ""
	}
	var names []string
	for i := range formats.All {
		names = append(names, formats.All[i].Name)
	}
	if near := schema.Nearest(name, slices.Values(names)); near != "" {
		return fmt.Sprintf("; did you mean %q?", near)
	}
	return ""
}
