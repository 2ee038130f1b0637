package gltf

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
)

// Beside returns the paths of the external buffers and pictures that a glTF file refers to, in the file's order and
// relative to its folder. There are none if b is not a glTF file.
func Beside(b []byte) (paths []string) {
	if len(b) >= glbHeader+chunkHead && binary.LittleEndian.Uint32(b) == glbMagic {
		size := int64(binary.LittleEndian.Uint32(b[glbHeader:]))
		b = b[glbHeader+chunkHead:]
		b = b[:min(size, int64(len(b)))]
	}
	var doc struct {
		Buffers, Images []struct{ URI string }
	}
	if json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(b, []byte("\ufeff")))).Decode(&doc) != nil {
		return nil
	}
	for _, x := range append(doc.Buffers, doc.Images...) {
		if name, err := relative(x.URI); err == nil && name != "" { // "data:" is none
			paths = append(paths, name)
		}
	}
	return paths
}
