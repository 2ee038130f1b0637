// Package csv reads tables as spreadsheets write them, whatever their country: with commas, semicolons or tabs, in UTF-8,
// UTF-16 or Windows-1252, with and without a byte order mark.
package csv
