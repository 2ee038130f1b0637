// Package texture lifts and lowers what is a picture by itself: texture sets, palettes and the pictures of savegames.
package texture
