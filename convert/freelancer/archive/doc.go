// Package archive opens UTF trees as archives whose entries are the leaves ([Open]), and defines the formats of those
// leaves ([Leaves]).
package archive
