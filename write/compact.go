package write

// Compact appends v as a compact index (Unreal reference section 2) in the fewest bytes.
func (w *Buffer) Compact(v int32) { w.CompactForm(v, 1, v < 0) }

// CompactForm appends v as a compact index of at least width bytes, up to 5. minus is the sign bit of a zero. Readers meet
// such unusual forms, and writers must repeat them.
func (w *Buffer) CompactForm(v int32, width int, minus bool) {
	magnitude := uint32(v)
	if v < 0 {
		magnitude = -magnitude
	}
	first := byte(magnitude & 0x3F)
	if v < 0 || v == 0 && minus {
		first |= 0x80
	}
	magnitude >>= 6
	if magnitude == 0 && width <= 1 {
		w.U8(first)
		return
	}
	w.U8(first | 0x40)
	for n := 2; n < 5; n++ {
		b := byte(magnitude & 0x7F)
		magnitude >>= 7
		if magnitude == 0 && width <= n {
			w.U8(b)
			return
		}
		w.U8(b | 0x80)
	}
	w.U8(byte(magnitude))
}

// CompactSize returns the number of bytes of v's shortest compact index.
func CompactSize(v int32) int {
	magnitude := uint32(v)
	if v < 0 {
		magnitude = -magnitude
	}
	switch {
	case magnitude < 1<<6:
		return 1
	case magnitude < 1<<13:
		return 2
	case magnitude < 1<<20:
		return 3
	case magnitude < 1<<27:
		return 4
	}
	return 5
}
