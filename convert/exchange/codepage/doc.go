// Package codepage shows texts that a game stores in the code page of some country's Windows, one byte or two a character. Only
// this package imports golang.org/x/text/encoding.
//
// The readers take every text for Windows-1252, in which each byte is one character. [Page.Show] turns such a text into
// what people read, and [Page.Take] turns it back. Both are one to one, whatever the bytes are: a byte that means nothing
// in the page becomes one of the private characters U+F780 to U+F7FF, as in the encoding x-user-defined of the web.
package codepage
