// Package read holds the bounded [Cursor] that all readers of formats use. The packages below it turn the bytes of one
// family's formats into the types of package schema. They do not import the writers.
package read
