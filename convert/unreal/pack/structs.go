package pack

// StructField is a field of a struct that usher knows: 'f' float, 'i' integer, 'b' byte.
type StructField struct {
	Name string
	Kind byte
}

// Structs are the structs with fixed layouts (reference section 8.2).
var Structs = map[string][]StructField{
	"Vector":  {{"X", 'f'}, {"Y", 'f'}, {"Z", 'f'}},
	"Rotator": {{"Pitch", 'i'}, {"Yaw", 'i'}, {"Roll", 'i'}},
	"Color":   {{"R", 'b'}, {"G", 'b'}, {"B", 'b'}, {"A", 'b'}},
	"Scale":   {{"X", 'f'}, {"Y", 'f'}, {"Z", 'f'}, {"SheerRate", 'f'}, {"SheerAxis", 'b'}},
	"Plane":   {{"X", 'f'}, {"Y", 'f'}, {"Z", 'f'}, {"W", 'f'}},
}
