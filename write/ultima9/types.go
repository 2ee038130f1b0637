package ultima9

import (
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/write"
)

// Types writes types.dat (reference section 10.1). It fails with ErrCount unless there are 8,192 records and at most as
// many active types.
func Types(t *ultima9.Types) ([]byte, error) {
	w := write.NewBuffer("u9-types", ultima9.TypesFileSize+len(t.Trailing))
	if len(t.Records) != ultima9.TypeCount || t.Active > ultima9.TypeCount {
		w.Failf(schema.ErrCount, "records", "%d records, %d of them active; the file holds %d", len(t.Records), t.Active, ultima9.TypeCount)
	}
	w.U32(t.Active)
	w.U32(t.NPCs)
	w.Records(&t.Records)
	w.Bytes(t.Trailing)
	return w.Finish()
}
