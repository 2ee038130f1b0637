package asset

// Sound is a clip of PCM samples.
type Sound struct {
	Name     string
	Rate     int    // frames a second
	Channels int    // interleaved
	Bits     int    // 8 (unsigned), 16, 24, 32 (signed), as in WAV; 32 or 64 when Float
	Float    bool   // IEEE 754 samples, nominal −1 … 1
	PCM      []byte // little-endian, interleaved
	Loops    []Loop
	Cues     []Cue
	Chunks   []Chunk // RIFF chunks that usher does not interpret, in order
	Stored   *Stored // the encoded form that PCM was decoded from
	Extras   map[string]any
	Native   *Native
}

// Frames returns the number of sample frames.
func (s *Sound) Frames() int {
	size := s.Channels * s.Bits / 8
	if size == 0 {
		return 0
	}
	return len(s.PCM) / size
}

// Loop is a range of sample frames that repeats; End is inclusive.
type Loop struct {
	Start, End uint32
	Count      uint32 // 0 is endless
	Type       uint32 // 0 forward, 1 ping-pong, 2 backward
}

// Cue is a named position.
type Cue struct {
	ID    uint32
	Frame uint32
	Label string
}

// Chunk is a RIFF chunk kept as it is.
type Chunk struct {
	ID   string // four characters
	Data []byte
}
