// Package look lifts and lowers materials ([Lifter], [Lowerer]). Models and maps do not contain pictures but refer to those
// of the texture archives; the package also finds out which pictures differ from these.
package look
