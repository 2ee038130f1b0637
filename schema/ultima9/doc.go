// Package ultima9 describes the files of Ultima IX: Ascension: FLX archives ([Archive]), the records inside them, palettes,
// and the files that lie beside the archives. Section numbers in comments are those of the format reference.
//
// All numbers are little-endian. World space is right-handed with X east, Y north and Z up; forty raw units are one metre.
package ultima9
