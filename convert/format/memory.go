package format

import (
	"io"
	"os"
)

// Scratch is memory that is reused for the pixels of one picture after another, so that a batch of thousands needs no more
// than one picture does. A nil Scratch allocates each time.
type Scratch struct {
	pixels []byte
	lent   bool
}

// Pixels returns n bytes with undefined content. Until the next Reset, only the first call gets reused memory; further
// calls allocate.
func (s *Scratch) Pixels(n int) []byte {
	if s == nil || s.lent {
		return make([]byte, n)
	}
	s.lent = true
	if cap(s.pixels) < n {
		s.pixels = nil // before there are two
		s.pixels = make([]byte, n)
	}
	return s.pixels[:n]
}

// Reset makes the memory available again. Pixels that were returned before are then invalid.
func (s *Scratch) Reset() { s.lent = false }

// Spool keeps the payloads of new entries in a temporary file once they exceed some megabytes. The zero value keeps none.
type Spool struct {
	// Open creates the file; see [Abilities.SpoolTo].
	Open func() (*os.File, error)

	file *os.File
	held int64 // bytes of payloads that it was asked to keep
	size int64 // of the file
}

// spoolAfter is how many bytes of payloads stay in memory.
const spoolAfter = 8 << 20

// Keep writes a payload to the file and returns a reader over it. It returns nil if the payload should stay in memory.
func (s *Spool) Keep(payload []byte) (*io.SectionReader, error) {
	s.held += int64(len(payload))
	if s.Open == nil || s.held <= spoolAfter || len(payload) == 0 {
		return nil, nil
	}
	if s.file == nil {
		file, err := s.Open()
		if err != nil {
			return nil, err
		}
		s.file = file
	}
	if _, err := s.file.WriteAt(payload, s.size); err != nil {
		return nil, err
	}
	kept := io.NewSectionReader(s.file, s.size, int64(len(payload)))
	s.size += int64(len(payload))
	return kept, nil
}
