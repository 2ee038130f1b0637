package unreal

// Suffixes is the sort of the block-sorting stage.
func Suffixes(b []byte) []int32 { return new(sorter).suffixes(b) }
