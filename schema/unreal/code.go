package unreal

import "fmt"

// Op is a token of byte code: its name and its operands (reference section 13), a letter each:
//
//	e  an expression          p  expressions up to EndFunctionParms
//	r  a reference            n  a name                     l  labels, up to the name None
//	b  a byte                 w  two bytes: an offset       c  an offset, and an expression unless it is FFFF
//	i  an int                 f  a float                    v  three floats           t  three ints
//	s  a text                 u  a text of UTF-16           o  an expression, from LazyVersion on
type Op struct{ Name, Operands string }

// castTokens are the tokens from 39 on, each with one expression.
var castTokens = [...]string{"RotatorToVector", "ByteToInt", "ByteToBool", "ByteToFloat", "IntToByte", "IntToBool", "IntToFloat", "BoolToByte", "BoolToInt",
	"BoolToFloat", "FloatToByte", "FloatToInt", "FloatToBool", "StringToName", "ObjectToBool", "NameToBool", "StringToByte", "StringToInt", "StringToBool",
	"StringToFloat", "StringToVector", "StringToRotator", "VectorToBool", "VectorToRotator", "RotatorToBool", "ByteToString", "IntToString", "BoolToString",
	"FloatToString", "ObjectToString", "NameToString", "VectorToString", "RotatorToString"}

// The tokens from which on they are calls of native functions: with a second byte of the function's number, and without.
const (
	FirstCast     = 0x39
	FirstExtended = 0x60
	FirstNative   = 0x70
	EndOfParms    = 0x16
	NoCase        = 0xFFFF // the offset of the last case of a switch
)

// Ops are all tokens. What has no name is of no file that is known.
var Ops = func() (ops [256]Op) {
	for token, op := range map[uint8]Op{
		0x00: {"LocalVariable", "r"}, 0x01: {"InstanceVariable", "r"}, 0x02: {"DefaultVariable", "r"}, 0x04: {"Return", "o"}, 0x05: {"Switch", "be"},
		0x06: {"Jump", "w"}, 0x07: {"JumpIfNot", "we"}, 0x08: {"Stop", ""}, 0x09: {"Assert", "we"}, 0x0A: {"Case", "c"}, 0x0B: {"Nothing", ""},
		0x0C: {"LabelTable", "l"}, 0x0D: {"GotoLabel", "e"}, 0x0E: {"EatString", "e"}, 0x0F: {"Let", "ee"}, 0x10: {"DynArrayElement", "ee"},
		0x11: {"New", "eeee"}, 0x12: {"ClassContext", "ewbe"}, 0x13: {"MetaCast", "re"}, 0x14: {"LetBool", "ee"}, EndOfParms: {"EndFunctionParms", ""},
		0x17: {"Self", ""}, 0x18: {"Skip", "we"}, 0x19: {"Context", "ewbe"}, 0x1A: {"ArrayElement", "ee"}, 0x1B: {"VirtualFunction", "np"},
		0x1C: {"FinalFunction", "rp"}, 0x1D: {"IntConst", "i"}, 0x1E: {"FloatConst", "f"}, 0x1F: {"StringConst", "s"}, 0x20: {"ObjectConst", "r"},
		0x21: {"NameConst", "n"}, 0x22: {"RotationConst", "t"}, 0x23: {"VectorConst", "v"}, 0x24: {"ByteConst", "b"}, 0x25: {"IntZero", ""},
		0x26: {"IntOne", ""}, 0x27: {"True", ""}, 0x28: {"False", ""}, 0x29: {"NativeParm", "r"}, 0x2A: {"NoObject", ""}, 0x2B: {"StringSize", "be"},
		0x2C: {"IntConstByte", "b"}, 0x2D: {"BoolVariable", "e"}, 0x2E: {"DynamicCast", "re"}, 0x2F: {"Iterator", "ew"}, 0x30: {"IteratorPop", ""},
		0x31: {"IteratorNext", ""}, 0x32: {"StructCmpEq", "ree"}, 0x33: {"StructCmpNe", "ree"}, 0x34: {"UnicodeStringConst", "u"}, 0x36: {"StructMember", "re"},
		0x38: {"GlobalFunction", "np"},
	} {
		ops[token] = op
	}
	for token := FirstCast; token < len(ops); token++ {
		switch n := token - FirstCast; {
		case token >= FirstNative:
			ops[token] = Op{"NativeFunction", "p"}
		case token >= FirstExtended:
			ops[token] = Op{"NativeFunction", "bp"}
		case n < len(castTokens):
			ops[token] = Op{castTokens[n], "e"}
		default:
			ops[token] = Op{"", "e"}
		}
	}
	for token := range ops {
		if ops[token].Name == "" {
			ops[token].Name = fmt.Sprintf("Token%02X", token)
		}
	}
	return ops
}()

// Token is one token of byte code with its own operands. The expressions among them are the tokens that follow, one deeper.
type Token struct {
	Offset   uint32 // in memory, where every index has 4 bytes: that is what jumps count
	Depth    int
	Code     uint8
	Operands []Operand
}

// Operand is a value in byte code. Kind is its letter in [Op]; that of a label is l, and of a case w.
type Operand struct {
	Kind    byte
	Numbers [3]uint32 // references, names, numbers, the bits of floats; the offset of a label
	Text    string    // of strings; the name of a label
}

// Native returns the number of the native function that a token calls; false for other tokens.
func (t *Token) Native() (int, bool) {
	switch {
	case t.Code >= FirstNative:
		return int(t.Code), true
	case t.Code >= FirstExtended && len(t.Operands) > 0:
		return int(t.Code-FirstExtended)<<8 | int(t.Operands[0].Numbers[0]), true
	}
	return 0, false
}
