// Command forwarder writes a bcryptprimitives.dll for versions of Wine that have none: a DLL without code whose one
// function, ProcessPrng, is forwarded to the function of ADVAPI32 that does the same. Programs made by Go 1.22 and later do
// not start without it.
//
//	go run ./testdata/wine/forwarder PREFIX/drive_c/windows/system32/bcryptprimitives.dll
package main

import (
	"encoding/binary"
	"log"
	"os"
)

const (
	headers  = 0x200  // size of the headers in the file
	section  = 0x1000 // where the section lies in memory
	forwards = "ADVAPI32.SystemFunction036"
)

// dll appends little-endian fields.
type dll struct{ b []byte }

func (d *dll) u16(list ...uint16) {
	for _, v := range list {
		d.b = binary.LittleEndian.AppendUint16(d.b, v)
	}
}

func (d *dll) u32(list ...uint32) {
	for _, v := range list {
		d.b = binary.LittleEndian.AppendUint32(d.b, v)
	}
}

func (d *dll) u64(list ...uint64) {
	for _, v := range list {
		d.b = binary.LittleEndian.AppendUint64(d.b, v)
	}
}

func (d *dll) pad(size int) { d.b = append(d.b, make([]byte, size-len(d.b))...) }

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: forwarder FILE.dll")
	}
	if err := os.WriteFile(os.Args[1], library(), 0o666); err != nil {
		log.Fatal(err)
	}
}

func library() []byte {
	exports := exportSection()
	d := new(dll)
	d.b = append(d.b, "MZ"...)
	d.pad(0x3C)
	d.u32(0x40) // where the PE header is
	d.b = append(d.b, "PE\x00\x00"...)
	d.u16(0x8664, 1)        // AMD64, one section
	d.u32(0, 0, 0)          // time, symbols
	d.u16(240, 0x2022)      // size of the optional header; executable, large addresses, DLL
	d.u16(0x20B, 0)         // PE32+, linker
	d.u32(0, 0x200, 0)      // sizes of code, data
	d.u32(0, section)       // no entry point; base of code
	d.u64(0x180000000)      // image base
	d.u32(0x1000, 0x200)    // alignment in memory, in the file
	d.u16(6, 0, 0, 0, 6, 0) // versions of the system, the image, the subsystem
	d.u32(0, 0x2000, headers, 0)
	d.u16(3, 0x160) // console; relocatable, no execution of data
	d.u64(0x100000, 0x1000, 0x100000, 0x1000)
	d.u32(0, 16)
	d.u32(section, uint32(len(exports)))
	for range 15 {
		d.u32(0, 0)
	}
	d.b = append(d.b, ".edata\x00\x00"...)
	d.u32(uint32(len(exports)), section, 0x200, headers, 0, 0)
	d.u16(0, 0)
	d.u32(0x40000040) // initialised data, readable
	d.pad(headers)
	d.b = append(d.b, exports...)
	d.pad(headers + 0x200)
	return d.b
}

// exportSection is the export directory, which holds the text that its function is forwarded to: that is what makes it a
// forwarder.
func exportSection() []byte {
	const functions, names, ordinals, texts = 40, 44, 48, 52
	library, function := "bcryptprimitives.dll\x00", "ProcessPrng\x00"
	d := new(dll)
	d.u32(0, 0, 0, section+texts, 1, 1, 1, section+functions, section+names, section+ordinals)
	d.u32(uint32(section + texts + len(library) + len(function)))
	d.u32(uint32(section + texts + len(library)))
	d.u16(0, 0)
	d.b = append(d.b, library+function+forwards+"\x00"...)
	return d.b
}
