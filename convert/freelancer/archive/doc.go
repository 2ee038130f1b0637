// Package archive shows the leaves of UTF trees as entries of archives, and has the formats of those leaves.
package archive
