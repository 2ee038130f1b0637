// Package rows compares an edited table with the stored table that it was made from, for all formats. [Merge] finds the
// stored row of each edited row and what was changed in it. [Verify] checks that every cell has reached the new record.
package rows
