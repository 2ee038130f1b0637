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
	Names          string // a file of names, one a line, that resolves the hashes of entries
}

func (o *FreelancerOptions) adds() bool {
	return o.Wireframe || o.Hulls || o.HardpointsFrom != "" || o.MaterialsApart || o.Records
}
