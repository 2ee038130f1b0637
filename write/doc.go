// Package write holds the [Buffer] that all writers of formats use. The packages below it turn the types of package schema
// into the bytes of one family's formats. They do not import the readers.
package write
