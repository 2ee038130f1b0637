package convert_test

import (
	"os"
	"runtime/debug"
	"testing"

	"github.com/usher-assets/usher/testdata/corpus"
)

// TestMain lets the heap grow further before it is collected: the tests of edits spend a sixth of their time on it otherwise.
func TestMain(m *testing.M) {
	corpus.InMemory()
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}
