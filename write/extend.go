package write

// Extend appends n zero bytes and returns them for the caller to fill in. For many elements this is faster than appending
// each. The slice is valid until the next append.
func (w *Buffer) Extend(n int) []byte {
	start := len(w.b)
	if cap(w.b)-start < n {
		w.b = append(w.b, make([]byte, n)...)
	} else {
		w.b = w.b[:start+n]
		clear(w.b[start:])
	}
	return w.b[start : start+n : start+n]
}
