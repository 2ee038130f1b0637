package unreal

// crcTable is the engine's: polynomial 0x04C11DB7, the highest bit first.
var crcTable = func() (t [256]uint32) {
	for i := range t {
		c := uint32(i) << 24
		for range 8 {
			if c&0x80000000 != 0 {
				c = c<<1 ^ 0x04C11DB7
			} else {
				c <<= 1
			}
		}
		t[i] = c
	}
	return t
}()

// CRC is a check sum of the engine under way: start with [NewCRC] (reference section 25).
type CRC uint32

// NewCRC returns the check sum of nothing.
func NewCRC() CRC { return 0xFFFFFFFF }

// Add returns the check sum with more bytes.
func (c CRC) Add(b []byte) CRC {
	for _, x := range b {
		c = c<<8 ^ CRC(crcTable[byte(c>>24)^x])
	}
	return c
}

// Sum returns the number that files hold.
func (c CRC) Sum() uint32 { return uint32(^c) }

// ScriptCRC returns the check sum by which a class knows the source of one that it was compiled with: that of its
// characters, each one a byte of Windows-1252 with a zero behind it, without the final zero (reference section 27).
func ScriptCRC(text []byte) uint32 {
	c := NewCRC()
	for _, x := range text {
		c = c.Add([]byte{x, 0})
	}
	return c.Sum()
}
