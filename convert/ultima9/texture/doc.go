// Package texture lifts and lowers the records that are pictures: texture sets ([Set]), palettes ([Palette]) and the
// pictures of savegames ([SavePicture]).
package texture
