// Package convert is the way into usher for other programs. It opens files of any format that usher knows, recognises them,
// and converts them both ways:
//
//   - [Converter.Open] opens a file, or one entry of an archive, as an [Item].
//   - [Item.Lift] returns it as an asset: a scene, texture, sound, table or text.
//   - [Item.To] converts it to files, such as a GLB.
//   - [Converter.OpenArchive] opens an archive. [Archive.Put] stores an edited file in it, and [Archive.Write] saves it.
//
// A native format is one of the games' own; an interchange format is one that editors open, such as GLB, PNG or CSV. Every
// conversion goes through these four forms:
//
//	native bytes ⇄ schema value ⇄ asset ⇄ interchange file
//	       read, write    lift, lower    exchange
//
// A program that knows which format it has can use the packages below convert instead. They have typed functions to read,
// write, lift and lower one format, such as ultima9.Sappear for a model of Ultima IX.
//
// The packages below convert are format (what a format is), scene (operations on models), one for each family of games,
// exchange (the files of other programs), engine (finding, loading, lifting, lowering, storing), work (many files at once)
// and show (pictures of assets).
package convert
