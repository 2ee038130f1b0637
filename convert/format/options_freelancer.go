package format

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
