package ultima9

import "github.com/usher-assets/usher/schema"

// Flags is a set of flags whose meanings nobody knows. It appears in hexadecimal.
type Flags uint32

var flagsBits schema.Bits[Flags]

// String returns the flags in hexadecimal.
func (f Flags) String() string { return flagsBits.Text(f) }

// MarshalText implements encoding.TextMarshaler.
func (f Flags) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (f *Flags) UnmarshalText(b []byte) error { return flagsBits.Parse(b, f) }
