package format

import (
	"io"
	"os"
)

// Spool keeps payloads of new entries in a file when they become many. Its zero value keeps none.
type Spool struct {
	// Open makes the file; see [Spooling].
	Open func() (*os.File, error)

	file *os.File
	held int64 // bytes of payloads that it was asked to keep
	size int64 // of the file
}

// spoolAfter is how many bytes of payloads stay in memory.
const spoolAfter = 8 << 20

// Keep returns a reader of the payload in the file; nil means that the payload has to stay in memory.
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
