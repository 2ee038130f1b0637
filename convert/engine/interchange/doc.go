// Package interchange loads and writes the files of other programs as an [Item]: glTF, pictures, sounds, JSON, CSV and
// text, with the sidecar file for what those cannot hold. The codecs are in convert/exchange.
//
// It serves the command line, and promises nothing to other programs: package convert is for those.
package interchange
