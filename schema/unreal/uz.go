package unreal

import "crypto/sha256"

// UZFormat is the name that errors of .uz files carry.
const UZFormat = "unreal-uz"

// The signatures of .uz files: the second one has one more run-length stage.
const (
	UZ1234 = 1234
	UZ5678 = 5678
)

// UZBlock is the size of the blocks that the game sorts (reference section 25).
const UZBlock = 0x40000

// UZ is a file in the games' download compression (reference section 25).
type UZ struct {
	Signature int32
	Name      Str    // name of the file
	Data      []byte // content of the file
	Coded     []byte `unwritten:"none is made of Data"` // Data in stored form, see SetCoded; nil lets the writer compress it

	codedOf [sha256.Size]byte // the hash of the Data that Coded is
}

// SetCoded sets the stored form of the current Data.
func (x *UZ) SetCoded(coded []byte) { x.Coded, x.codedOf = coded, sha256.Sum256(x.Data) }

// Stale reports whether Data has changed since SetCoded.
func (x *UZ) Stale() bool { return x.codedOf != sha256.Sum256(x.Data) }
