package batch_test

import (
	"os"
	"testing"

	"github.com/usher-assets/usher/testdata/corpus"
)

func TestMain(m *testing.M) {
	corpus.InMemory()
	os.Exit(m.Run())
}
