package unreal

// Polys is the polygon list of a brush (reference section 12.2).
type Polys struct {
	Object
	Capacity int32
	Polys    []Poly
}

// Poly is a polygon of a brush.
type Poly struct {
	Base      [3]float32
	Normal    [3]float32
	TextureU  [3]float32
	TextureV  [3]float32
	Vertices  [][3]float32
	Flags     uint32 // PolyFlags
	Actor     Ref
	Texture   Ref
	Item      NameIndex
	Link      int32
	BrushPoly int32
	PanU      int16
	PanV      int16
}
