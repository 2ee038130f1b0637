// Package json converts schema values to JSON and back without loss: [Decode] returns the value that [Encode] wrote, bit
// for bit.
//
//   - A struct is an object with its exported fields in order, under their Go names or those of a json tag. Nil pointers,
//     slices and maps are left out, so that nil and empty stay distinct.
//   - A []byte is base64; an array of bytes is hexadecimal.
//   - A type with MarshalText and UnmarshalText (enumerations, flags, identifiers) is text. Its number is accepted as well.
//   - A list of numbers stands on one line; a list of anything larger has a line for each element.
//   - A float is the shortest text that returns the same bits. "inf", "-inf" and "nan:0x7fc00001" stand for values that
//     JSON numbers cannot express.
//   - Maps are sorted by key.
//
// In values of type any, integers become int64 (uint64 above its range), all other numbers float64, lists []any and objects
// map[string]any. {"$float": "inf"}, {"$base64": "…"} and {"$map": {…}} stand for floats, bytes and maps that JSON itself
// cannot express.
//
// Decode refuses unknown and repeated keys; its errors name the line.
package json
