// Package json turns schema values into JSON and back, complete and exact: what [Decode] reads from what [Encode] wrote
// is the same value, bit for bit.
//
// A struct is an object with its exported fields in their order, under their names or those of a json tag; nil pointers,
// slices and maps are left out, so that nil and empty stay apart. A []byte is base64, an array of bytes hexadecimal.
// Types with MarshalText and UnmarshalText (enumerations, flags, identifiers) are text; their numbers are read as well.
// Lists of numbers stand on one line, lists of anything larger have a line for each element. Floats are the shortest
// text that returns the same bits; "inf", "-inf" and "nan:0x7fc00001" stand for what JSON has no numbers for. Maps are
// sorted by key.
//
// In values of type any, integers become int64 (uint64 above its range), all other numbers float64, lists []any and
// objects map[string]any; {"$float": "inf"}, {"$base64": "…"} and {"$map": {…}} carry what that leaves out.
//
// Reading refuses unknown and repeated keys, and says line and place.
package json
