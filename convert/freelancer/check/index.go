package check

// index is where in the game libraries have something, by hash.
type index struct {
	meshes, materials, textures map[uint32][]*tree
}

func newIndex() index {
	return index{map[uint32][]*tree{}, map[uint32][]*tree{}, map[uint32][]*tree{}}
}

func (x index) add(t *tree) {
	for crc := range t.meshes {
		x.meshes[crc] = append(x.meshes[crc], t)
	}
	for crc := range t.materials {
		x.materials[crc] = append(x.materials[crc], t)
	}
	for crc := range t.textures {
		x.textures[crc] = append(x.textures[crc], t)
	}
}
