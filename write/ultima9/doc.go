// Package ultima9 encodes values of schema/ultima9. What package read/ultima9 returned comes out as the same bytes.
package ultima9
