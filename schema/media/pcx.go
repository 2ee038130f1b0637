package media

// PCXHeader is the size of the header of a PCX file, and PCXMap that of the colour map behind the pixels with its mark.
const (
	PCXHeader = 128
	PCXMap    = 769
)

// PCX is a picture of PC Paintbrush.
type PCX struct {
	Version      uint8 // 5 has a map of 256 colours
	Encoding     uint8 // 1: runs, 0: none
	Bits         uint8 // of a pixel in a plane
	XMin, YMin   uint16
	XMax, YMax   uint16 // inclusive
	DPI          [2]uint16
	EGA          [48]byte // colours of pictures with up to 16
	Reserved     uint8
	Planes       uint8
	BytesPerLine uint16 // of one plane
	PaletteInfo  uint16
	Screen       [2]uint16
	Filler       [54]byte
	Data         []byte     // lines from the top, planes one after another, as stored
	Map          *[768]byte // red, green, blue
}

// Size returns width and height.
func (x *PCX) Size() (width, height int) {
	return int(x.XMax) - int(x.XMin) + 1, int(x.YMax) - int(x.YMin) + 1
}
