package unreal

// UMODFormat is the name that errors of .umod files carry.
const UMODFormat = "unreal-umod"

// UMODMagic stands in the last 20 bytes of an installer.
const UMODMagic = 0x9FE3C5A3

// The size of the trailer, and the one version that is known.
const (
	UMODTrailer = 20
	UMODVersion = 1
)

// UMODManifest is the flag of the two files that control the installer.
const UMODManifest = 3

// UMOD is an installer: files one after another, uncompressed (reference section 25).
type UMOD struct {
	Files   []UMODFile
	Version uint32
	CRC     uint32     // as stored; the writer recomputes it if Fresh is set
	Fresh   bool       `unwritten:"asks how to write"`
	Content []byte     // the bytes before the directory
	Gap     []byte     // between directory and trailer
	Odd     []OddIndex `unwritten:"an odd form counts as long as the index has its value"`
}

// UMODFile is a file of an installer.
type UMODFile struct {
	Path   Str    // with backslashes
	Offset uint32 // in Content
	Size   uint32
	Flags  uint32 // UMODManifest or 0
}

// UMODCRC returns the check sum of everything before the trailer.
func UMODCRC(b []byte) uint32 { return NewCRC().Add(b).Sum() }
