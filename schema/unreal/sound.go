package unreal

// Sound holds a whole RIFF file (reference section 10).
type Sound struct {
	Object
	FileType NameIndex // "wav"
	Data     []byte
}
