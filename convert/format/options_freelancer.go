package format

// FreelancerOptions is what a user can ask of Freelancer's formats alone.
type FreelancerOptions struct {
	TextureRows    string // "stored": pictures of models have their rows in the order of the file; empty: upright
	Wireframe      bool   // make wireframes of parts that have none
	Hulls          bool   // make collision hulls of parts that have none
	MaterialsApart bool   // put the materials and textures of models into a file of their own
	For            string // the editor for which scenes are arranged: "lanceredit"
	HardpointsFrom string // the model or table whose hardpoints a model gets
	Names          string // a file of names, one a line, for entries that have hashes in their place
}

func (o *FreelancerOptions) adds() bool {
	return o.Wireframe || o.Hulls || o.HardpointsFrom != "" || o.MaterialsApart
}
