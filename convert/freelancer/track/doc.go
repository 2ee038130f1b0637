// Package track evaluates the motion of a node in an animation, and reports whether two animations show the same motion.
package track
