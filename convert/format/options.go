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

// FreelancerOptions are choices that concern Freelancer's formats only.
type FreelancerOptions struct {
	TextureRows    string // "stored": pictures of models have their rows in the order of the file; empty: upright
	Wireframe      bool   // make wireframes for parts without one
	Hulls          bool   // make collision hulls for parts without one
	MaterialsApart bool   // write the materials and textures of models to a file of their own
	Records        bool   // write the INI records that the game wants of a new ship to a file beside the model
	For            string // the editor to arrange scenes for: "lanceredit"
	HardpointsFrom string // the model or table that a model gets its hardpoints from
	Shared         string // where edited materials and textures of other files go: SharedThere, SharedCopy, or empty: into the model, by the names that the others have
	Names          string // a file of names, one a line, that resolves the hashes of entries
}

// The answers to where edited materials and textures go that lie in a file which other models use as well.
const (
	SharedThere = "there" // to that file: what is made is without them, unless it is made of that file
	SharedCopy  = "copy"  // into the model, by names of their own, so that no other model shows them
)

func (o *FreelancerOptions) adds() bool {
	return o.Wireframe || o.Hulls || o.HardpointsFrom != "" || o.MaterialsApart || o.Records
}

// Ultima9Options are choices that concern Ultima IX's formats only.
type Ultima9Options struct {
	Region    bool      // include the other files of a map: its ground and all of its objects
	Box       []float64 // the part of a map to show: x, y and x, y in metres, from the west and south; nil is all of it
	Paint     bool      // show the ground of a map as three pictures to paint: heights, tiles and holes
	NoGround  bool      // leave the ground of a map out
	NoObjects bool      // leave the objects of a map out
	AllDepths bool      // also update the archives that hold an edited texture at another colour depth

	// By default a sound takes over the rate and the channels of the one that it replaces.
	KeepRate     bool // sounds keep their own rate
	KeepChannels bool // sounds keep their own channels
}

// Ultimate3DOptions are choices that concern Ultimate 3D models only.
type Ultimate3DOptions struct {
	FPS       float64 // frames a second, which the files do not store; 0 is 30
	Clips     []Clip  // ranges of frames that cut a model's single animation into several
	Embed     bool    // put textures into the model file
	KeepNodes bool    // keep the node hierarchy even if neither animation nor skin needs it
	BakeSkin  bool    // bake a skin into frames if the target cannot have both

	AmbientFirst bool // material colours begin with ambient, as the published text has them (reference section 5)
}

// Clip is a named range of frames, both ends included.
type Clip struct {
	Name        string
	First, Last int
}

// UnrealOptions are choices that concern Unreal packages only.
type UnrealOptions struct {
	KeepGUID        bool   // an edited package keeps its GUID and history
	PackageVersion  int    // of new packages, 60 to 69; 0 is the default
	TextureEncoding string // of edited and new textures: "bc1", "bc3", "p8"; empty keeps the old encoding
	Mips            string // which mip list of a texture to take: "comp", "base"; empty takes the larger one
	Resize          string // "pow2" scales pictures to powers of two; empty refuses other sizes
}
