// Package picture decodes picture files of the types that games use ([DecodeImage]) and encodes some of them ([EncodeDDS],
// [EncodeTGA], [EncodeBMP], [EncodePCX]). It also reduces colours and scales, and keeps the stored pixels of a picture
// where an edit did not change them ([Carry], [Blocks]).
package picture
