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

// CRC computes the engine's check sum step by step, starting with [NewCRC] (reference section 25).
type CRC uint32

// NewCRC returns the check sum of no bytes.
func NewCRC() CRC { return 0xFFFFFFFF }

// Add returns the check sum extended by more bytes.
func (c CRC) Add(b []byte) CRC {
	for _, x := range b {
		c = c<<8 ^ CRC(crcTable[byte(c>>24)^x])
	}
	return c
}

// Sum returns the number as files store it.
func (c CRC) Sum() uint32 { return uint32(^c) }

// ScriptCRC returns the check sum of a script source. A compiled class stores those of the classes that it depends on. The
// sum is over the characters in Windows-1252, each followed by a zero byte, without a final zero (reference section 27).
func ScriptCRC(text []byte) uint32 {
	c := NewCRC()
	for _, x := range text {
		c = c.Add([]byte{x, 0})
	}
	return c.Sum()
}
