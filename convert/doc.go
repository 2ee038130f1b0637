// Package convert opens files of any format that usher knows, recognises them, and converts them both ways. A [Converter]
// opens a file or an entry of an archive; [Item.Lift] returns it as a scene, texture, sound, table or text; [Item.To] makes
// files of it, such as a GLB. A file that somebody edited goes back into its archive with [Archive.Put].
//
//	native bytes ⇄ schema value ⇄ asset ⇄ interchange file
//	       read, write    lift, lower    exchange
//
// Whoever knows the format of a file needs none of this: the packages of the families have typed functions to read, write,
// lift and lower, such as ultima9.Sappear.
//
// Below it stand rooms: format (what a format is), scene (what is done with models), a package for each family, exchange
// (the files of other programs), engine (finding, loading, lifting, lowering, storing), work (many files at once) and show
// (pictures of them).
package convert
