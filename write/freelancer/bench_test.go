package freelancer_test

import (
	"bytes"
	"testing"

	read "github.com/usher-assets/usher/read/freelancer"
	"github.com/usher-assets/usher/schema/freelancer"
	"github.com/usher-assets/usher/testdata/corpus"
	write "github.com/usher-assets/usher/write/freelancer"
)

// rewrite reads trees and writes them again; the bytes are those of all files.
func rewrite(b *testing.B, files [][]byte) {
	total := int64(0)
	for _, f := range files {
		total += int64(len(f))
	}
	b.SetBytes(total)
	b.ReportAllocs()
	for b.Loop() {
		for _, f := range files {
			t, err := read.UTF(f, nil)
			if err != nil {
				b.Fatal(err)
			}
			out, err := write.UTF(t)
			if err != nil || len(out) != len(f) {
				b.Fatal("not the same", err)
			}
		}
	}
}

// BenchmarkRewriteCorpus reads and rewrites every file of the corpus.
func BenchmarkRewriteCorpus(b *testing.B) {
	var files [][]byte
	for _, e := range corpus.Manifest(b, "freelancer") {
		if f := corpus.Bytes(b, e.Path); bytes.HasPrefix(f, []byte(freelancer.Magic)) {
			files = append(files, f)
		}
	}
	rewrite(b, files)
}

// BenchmarkRewrite is BenchmarkRewriteCorpus with the small files of testdata.
func BenchmarkRewrite(b *testing.B) {
	var files [][]byte
	for _, name := range [...]string{"ship.cmp", "crate.3db", "figure.dfm", "walk.anm", "tiles.txm", "voice.utf"} {
		files = append(files, corpus.Bytes(b, corpus.Testdata(b, "freelancer", name)))
	}
	rewrite(b, files)
}
