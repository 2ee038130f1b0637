// Package format is the contract between the families and everything that works on all of them: what a format can do,
// what an archive shows, and what a conversion may look at beside its input.
package format
