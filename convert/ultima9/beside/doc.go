// Package beside finds what lies beside an input of Ultima IX: records of other archives, and the archives of textures.
package beside
