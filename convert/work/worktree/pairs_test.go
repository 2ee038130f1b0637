package worktree_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/usher-assets/usher/convert/work/batch"
	"github.com/usher-assets/usher/convert/work/worktree"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/testdata/corpus"
	"github.com/usher-assets/usher/testdata/faults"
)

// twoFolders makes an archive and two folders that were unpacked of it, each with an edit of its own.
func twoFolders(t *testing.T) (archive string, folders, slots []string) {
	t.Helper()
	dir := faults.Folder(t)
	archive = filepath.Join(dir, "a.flx")
	writeFile(t, archive, corpus.Bytes(t, corpus.Testdata(t, "ultima9", "bitmap16.flx")))
	slots = []string{"1", "5"}
	for _, slot := range slots {
		folder := filepath.Join(dir, "of "+slot)
		if err := run(&worktree.Unpacking{Raw: true, Session: batch.Session{Workers: 1}}, archive, folder); err != nil {
			t.Fatal(err)
		}
		writeFile(t, filepath.Join(folder, slot+".bin"), []byte("edit of "+slot))
		folders = append(folders, folder)
	}
	return archive, folders, slots
}

// Of two folders that are packed over one archive at once, one wins, and the other is told: nobody whose edit is lost
// hears that all is well.
func TestTwoPacksOverOneArchive(t *testing.T) {
	faults.Careless(t)
	pack := func(_ context.Context, folder, archive string) error {
		job := worktree.Packing{Force: true}
		_, err := job.Run(context.Background(), folder, archive, new(schema.Diagnostics))
		return err
	}
	watch := func(ctx context.Context, folder, archive string) (err error) {
		err = fmt.Errorf("nothing came of it")
		ctx, stop := context.WithTimeout(ctx, 10*time.Second)
		defer stop()
		w := worktree.Watching{Packing: worktree.Packing{Force: true}, Round: func(r worktree.Round) { err = r.Err; stop() }}
		if ended := w.Run(ctx, folder, archive); ctx.Err() == nil {
			return ended
		}
		return err
	}
	for _, c := range []struct {
		name  string
		pairs int
		pack  func(ctx context.Context, folder, archive string) error
	}{{"pack", 200, pack}, {"pack --watch", 40, watch}} {
		t.Run(c.name, func(t *testing.T) {
			both, lost := 0, 0
			for range c.pairs {
				archive, folders, slots := twoFolders(t)
				errs := make([]error, len(folders))
				var all sync.WaitGroup
				for i := range folders {
					all.Go(func() { errs[i] = c.pack(t.Context(), folders[i], archive) })
				}
				all.Wait()
				for i, slot := range slots {
					if held := string(entry(t, archive, slot)) == "edit of "+slot; held != (errs[i] == nil) {
						t.Errorf("slot %s: the edit is there: %v; error: %v", slot, held, errs[i])
						lost++
					}
				}
				if errs[0] != nil && errs[1] != nil {
					t.Errorf("none has won: %v; %v", errs[0], errs[1])
				}
				if errs[0] == nil && errs[1] == nil {
					both++
				}
				os.RemoveAll(filepath.Dir(archive))
			}
			t.Logf("%d pairs, %d edits lost or told wrongly, both won %d times", c.pairs, lost, both)
		})
	}
}
