package format

import (
	"fmt"
	"io/fs"

	"github.com/usher-assets/usher/schema/media"
)

var errNoFiles = fmt.Errorf("no other files to look at: %w", fs.ErrNotExist)

// Options is what a user can ask of a conversion. The zero value is the default of everything. What one family alone
// understands stands in a section of its own, which another family neither reads nor knows.
type Options struct {
	// Other files.
	Textures string   // the archive or folder to take textures from
	With     []string // files and folders where meshes, materials and textures are looked for as well
	Install  []string // folders of installed games, where they are looked for last
	Model    string   // the model that an animation belongs to: FILE or ARCHIVE:ENTRY
	Base     string   // the native original of an edited file: FILE or ARCHIVE:ENTRY

	// Models.
	Animation    string    // the animation to take where the target holds only one
	LODDistances []float64 // distances from which lower levels of detail are used, in the target's units

	// Sounds and pictures.
	Encoding string // of edited and new sounds: "pcm", "eaxa", "microtalk", "mp3"; of pictures: "dxt1", "dxt3", "dxt5", "rgba", "tga"; empty keeps the one they had
	Reencode bool   // encode pictures that were not edited in Encoding as well
	BitRate  int    // bits a second of codecs that have a choice; 0 is the codec's usual one
	Strict   bool   // refuse samples that the game does not play instead of converting them
	Samples  bool   // decode what could be kept as it is: MP3 in a WAV file

	Effort media.Effort // of encoding pictures as blocks of 4 x 4 pixels
	Sheet  bool         // all frames of a texture in one picture
	Dither bool         // spread the errors of pictures that have to do with fewer colours

	// Texts and tables.
	Prune    bool // take out what an edited table, or list, has no row for
	Markdown bool // where a format has such a form

	GLTF       GLTFOptions
	Freelancer FreelancerOptions
	Ultimate3D Ultimate3DOptions
	Unreal     UnrealOptions
	Ultima9    Ultima9Options
}

// Adds reports whether something is to be made that a model does not have yet, even for one that stays in its format.
func (o *Options) Adds() bool { return o.Freelancer.adds() }

// Named returns the files and folders that the user named for any conversion to look into.
func (o *Options) Named() (paths []string) {
	for _, path := range append(append([]string{o.Textures}, o.With...), o.Freelancer.Names, o.Freelancer.HardpointsFrom) {
		if path != "" {
			paths = append(paths, path)
		}
	}
	return paths
}

// GLTFOptions is what a user can ask of a glTF file.
type GLTFOptions struct {
	Levels    string   // which levels of detail it shows: "all"; empty is the best one. All of them are kept.
	Show      []string // what else it shows: "wires", "hulls", "mounts", "hardpoints", "all", "none"; nil is "hardpoints"
	Instances bool     // it has one node for all places of a mesh, which not every program reads
	Slim      bool     // it has nothing that only usher reads: small, and no way back
}
