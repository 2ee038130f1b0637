// Package track says where the channels of an animation have a node, and whether those of two show the same motion.
package track
