// Package ultima9 lifts the records of Ultima IX to assets and lowers assets to records, and lists the formats of the
// family.
package ultima9
