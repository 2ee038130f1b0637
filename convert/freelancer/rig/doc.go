// Package rig has joints, hardpoints and cameras as nodes have them: where they stand, and what they are in custom properties.
// Those are LancerEdit's, so that its users can take the files from either tool.
package rig
