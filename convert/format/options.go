package format

import (
	"fmt"
	"io/fs"

	"github.com/usher-assets/usher/schema/media"
)

var errNoFiles = fmt.Errorf("no other files to look at: %w", fs.ErrNotExist)

// Options are a user's choices for a conversion. The zero value means the default everywhere. Choices that concern one
// family only stand in a section of their own, which the other families ignore.
type Options struct {
	// Other files.
	Textures string   // the archive or folder to take textures from
	With     []string // further files and folders to search for meshes, materials and textures
	Install  []string // folders of installed games, searched last
	Model    string   // the model that an animation belongs to: FILE or ARCHIVE:ENTRY
	Base     string   // the native original of an edited file: FILE or ARCHIVE:ENTRY

	// Models.
	Animation    string    // name of the animation to take, if the target holds only one
	LODDistances []float64 // distances from which lower levels of detail are used, in the target's units

	// Sounds and pictures.
	Encoding string // of edited and new sounds: "pcm", "eaxa", "microtalk", "mp3"; of pictures: "dxt1", "dxt3", "dxt5", "rgba", "tga"; empty keeps the one they had
	Reencode bool   // apply Encoding to unedited pictures too
	BitRate  int    // bits a second, for codecs with a choice; 0 is the codec's default
	Strict   bool   // refuse samples that the game does not play instead of converting them
	Samples  bool   // decode sounds even if they could be kept, such as MP3 in a WAV file

	Effort media.Effort // effort of encoding pictures as blocks of 4 x 4 pixels
	Sheet  bool         // put all frames of a texture into one picture
	Dither bool         // dither pictures that have to be reduced to fewer colours

	// Texts and tables.
	Prune    bool // delete the records whose rows an edited table lacks
	Markdown bool // write Markdown, for formats that support it
	// CodePage is the code page of texts that are stored one or two bytes a character, such as "windows-1251"; empty is
	// Windows-1252. What an edited file says of itself comes first. Ultima IX alone uses it.
	CodePage string

	GLTF       GLTFOptions
	Freelancer FreelancerOptions
	Ultimate3D Ultimate3DOptions
	Unreal     UnrealOptions
	Ultima9    Ultima9Options
}

// CodePageValue is the key of the read-only value of a Native that says which [Options.CodePage] its asset was made with.
const CodePageValue = "codepage"

// Adds reports whether the options ask for parts that a model lacks, so that it changes even without conversion to another
// format.
func (o *Options) Adds() bool { return o.Freelancer.adds() }

// Named returns the files and folders that the user named for any conversion to search.
func (o *Options) Named() (paths []string) {
	for _, path := range append(append([]string{o.Textures}, o.With...), o.Freelancer.Names, o.Freelancer.HardpointsFrom) {
		if path != "" {
			paths = append(paths, path)
		}
	}
	return paths
}

// GLTFOptions are a user's choices for glTF files.
type GLTFOptions struct {
	Levels    string   // which levels of detail to show: "all"; empty shows the best one. All are kept in any case.
	Show      []string // what else to show: "wires", "hulls", "mounts", "hardpoints", "all", "none"; nil is "hardpoints"
	Instances bool     // write one node for all places of a mesh, which some programs cannot read
	Slim      bool     // leave out what only usher reads: the file is small, but cannot become native again without loss
}
