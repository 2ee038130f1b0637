// Package interchange reads and writes the files that other programs work with, as [Item]: glTF, pictures, sounds, JSON,
// CSV and text, with the companion file that keeps what those cannot hold. The coding itself is in convert/exchange.
//
// It serves the command line, and promises nothing to other programs: package convert is for those.
package interchange
