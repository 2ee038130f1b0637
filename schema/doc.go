// Package schema holds what every format description shares: the error type and its classes, diagnostics, limits and
// the code page of old Windows text. The packages below it describe one family each; none of them does any I/O.
package schema
