// Package ultima9 lifts the records of Ultima IX to assets and lowers assets to records, and lists the formats of the
// family. Each format is a variable with its functions, typed: [Texture], [Sappear], [Book] and so on read, write, lift and
// lower one record; archives are read by package read/ultima9.
//
// Archives, tables, texts and sounds are here. Rooms below have what stands on more: texture ← look ← model ← world; beside
// finds what lies beside an input.
package ultima9
