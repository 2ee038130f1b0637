// Package model lifts and lowers models, those of the older layout, and the clips that move them.
package model
