package rows

import (
	"slices"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// Verify compares the table want with got, the table of the record that was made from want. It returns an error that names
// every cell of want that got does not have.
func Verify(want, got *asset.Table) error {
	var faults schema.Faults
	fault := func(i int, field, msg string, args ...any) {
		e := schema.Errorf("", schema.ErrValue, field, msg, args...).(*schema.FormatError)
		e.Path = Place(want, i)
		faults.Add(e)
	}
	if len(want.Rows) != len(got.Rows) {
		return schema.Errorf("table", schema.ErrValue, "rows", "%d rows would become %d", len(want.Rows), len(got.Rows))
	}
	for k, name := range want.Columns {
		at := slices.Index(got.Columns, name)
		if at < 0 {
			continue // of which is said that it means nothing
		}
		for i, cells := range want.Rows {
			if cell, is := cells[k], got.Rows[i][at]; Text(cell) != "" && !same(cell, is) || cell == "" && !same(cell, is) && !isKey(want, name) {
				fault(i, name, "%.40q would become %.40q", Text(cell), Text(is))
			}
		}
	}
	return faults.Err()
}

func isKey(t *asset.Table, name string) bool { return slices.Contains(t.Keys, name) }
