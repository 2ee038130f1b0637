package freelancer

// SphereModel is the Sphere directory of a .sph file or fragment (reference section 10): a planet.
type SphereModel struct {
	Radius    float32  // metres
	Materials []string // +Z, +X, −Z, −X, +Y, −Y, then the shell of the atmosphere
	Sides     int32    // number of materials that count
}
