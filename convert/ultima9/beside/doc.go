// Package beside finds what lies beside an input of Ultima IX: records of other archives, and the texture archives.
package beside
