package format

import (
	"fmt"
	"io/fs"

	"github.com/usher-assets/usher/schema/media"
)

var errNoFiles = fmt.Errorf("no other files to look at: %w", fs.ErrNotExist)

// Options is what a user can ask of a conversion. The zero value is the default of everything.
type Options struct {
	// Models.
	FPS            float64   // frames a second of formats that store frame numbers only; 0 is the format's default
	Clips          []Clip    // ranges to cut the one animation of a model into
	Animation      string    // the animation to take where the target holds only one
	LODDistances   []float64 // distances from which lower levels of detail are used, in the target's units
	KeepNodes      bool      // keep a node hierarchy that neither animation nor skin needs
	BakeSkin       bool      // bake a skin into frames where the target cannot have both
	Embed          bool      // put textures into the model file
	Model          string    // the model that an animation belongs to: FILE or ARCHIVE:ENTRY
	Base           string    // the native original of an edited file: FILE or ARCHIVE:ENTRY
	Textures       string    // the archive or folder to take textures from
	TextureRows    string    // "stored": pictures of models have their rows in the order of the file; empty: upright
	Wireframe      bool      // make wireframes of parts that have none
	Hulls          bool      // make collision hulls of parts that have none
	MaterialsApart bool      // put the materials and textures of models into a file of their own
	For            string    // the editor for which scenes are arranged: "lanceredit"
	HardpointsFrom string    // the model or table whose hardpoints a model gets
	Levels         string    // which levels of detail a GLB shows: "all"; empty is the best one. All of them are kept.
	Show           []string  // what else it shows: "wires", "hulls", "mounts", "hardpoints", "all", "none"; nil is "hardpoints"
	Instances      bool      // a GLB has one node for all places of a mesh, which not every program reads
	Names          string    // a file of names, one a line, for entries that have hashes in their place
	Box            []float64 // the part of a map to show: x, y and x, y in metres, from the west and south; nil is all of it
	NoGround       bool      // leave the ground of a map out
	NoObjects      bool      // leave the objects of a map out
	Region         bool      // show the other files of a map as well: its ground and all of its objects

	// All of them.
	With    []string // files and folders where meshes, materials and textures are looked for as well
	Install []string // folders of installed games, where they are looked for last

	// Sounds.
	Encoding string // of edited and new sounds: "pcm", "eaxa", "microtalk", "mp3"; of pictures: "dxt1", "dxt3", "dxt5", "rgba", "tga"; empty keeps the one they had
	Reencode bool   // encode pictures that were not edited in Encoding as well
	BitRate  int    // bits a second of codecs that have a choice; 0 is the codec's usual one
	Strict   bool   // refuse samples that the game does not play instead of converting them
	// Sounds take over the rate and the channels of the ones whose place they take.
	KeepRate     bool // they keep their own rate
	KeepChannels bool // they keep their own channels
	Samples      bool // decode what could be kept as it is: MP3 in a WAV file

	// Pictures.
	Effort media.Effort // of encoding pictures as blocks of 4 x 4 pixels

	// Textures.
	Sheet           bool   // all frames of a texture in one picture
	AllDepths       bool   // an edited texture is written into the archives that hold it in other pixels as well
	TextureEncoding string // of an edited or new texture: "bc1", "bc3", "p8"; empty keeps what it had
	Mips            string // which of a texture's lists to take: "comp", "base"; empty is the larger one
	Dither          bool   // spread the errors of pictures that have to do with fewer colours
	Resize          string // "pow2" scales pictures whose sides are no powers of two; empty refuses them

	// Texts.
	Markdown bool // where a format has such a form

	// Unreal packages.
	KeepGUID       bool // an edited package keeps its GUID and history
	PackageVersion int  // of new packages, 60 to 69; 0 is the default

	// The two readings of Ultimate 3D (reference sections 5 and 6.3).
	U3DAmbientFirst bool // material colours begin with ambient
	U3DLiteralKeys  bool // write bones as the published text says
}

// Clip is a named range of frames, both ends included.
type Clip struct {
	Name        string
	First, Last int
}
