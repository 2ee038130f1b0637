// Package ultima9 lifts the records of Ultima IX to assets, lowers assets to records, and lists the formats of the family
// ([Formats]). Each format is a variable with typed functions: [Texture], [Sappear], [Book] and so on read, write, lift and
// lower one record. The archives that hold the records are read by package read/ultima9, or opened by package convert.
//
// Archives, tables, texts and sounds are in this package, other records in those below it. These stand on each other:
// texture ← look ← model ← world. Package beside finds the files beside an input.
package ultima9
