// Package hull has the hulls of collision files: as they are stored, as a model shows them, and how those of an edited model
// become a file again.
package hull
