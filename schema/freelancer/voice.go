package freelancer

import (
	"fmt"
	"strconv"
	"strings"
)

// VoiceLine is a leaf of a voice bank (reference section 14): a complete WAV file. Its name is the hash of its nickname.
type VoiceLine struct {
	ID   uint32 // CreateID of the nickname
	Node *Node
}

// VoiceName returns the entry name of an ID.
func VoiceName(id uint32) string { return fmt.Sprintf("0x%08X", id) }

// ParseVoiceName returns the ID that an entry name stands for.
func ParseVoiceName(name string) (id uint32, ok bool) {
	hex, found := strings.CutPrefix(strings.ToLower(name), "0x")
	if !found || len(hex) != 8 {
		return 0, false
	}
	v, err := strconv.ParseUint(hex, 16, 32)
	return uint32(v), err == nil
}

// Codecs of WAV files that voice banks hold.
const (
	WavePCM = 0x0001
	WaveMP3 = 0x0055
)

// Wave describes the WAV file of a line.
type Wave struct {
	Codec         uint16
	Channels      uint16
	Rate          uint32 // frames a second
	ByteRate      uint32
	BlockAlign    uint16
	BitsPerSample uint16 // 0 for MP3
	Extra         []byte // the rest of the fmt chunk
	Chunks        []WaveChunk
	Tail          []byte // bytes after the last whole chunk
	Excess        int64  // by how much the stored size of the file exceeds the real one; 0 in sound files
}

// WaveChunk is a chunk of a WAV file, in stored order, including fmt. The last one may lack its padding byte.
type WaveChunk struct {
	ID   string
	Data []byte
	Pad  []byte // the byte that makes its length even, where there is one
}

// Chunk returns the data of the first chunk of that name, or nil.
func (w *Wave) Chunk(id string) []byte {
	for _, c := range w.Chunks {
		if c.ID == id {
			return c.Data
		}
	}
	return nil
}
