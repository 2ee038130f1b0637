package gltf

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
)

// Beside returns the paths of the files that a glTF file, of one part or with others beside it, takes its buffers and
// pictures from, relative to its own folder and in its order. There are none for what is no glTF file.
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
