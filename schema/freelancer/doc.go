// Package freelancer describes the files of Freelancer (2003): UTF trees and every payload that is normally stored in them
// (.3db, .cmp, .dfm, .sph, .vms, .mat, .txm, .ale, .anm and .utf files), collision hulls (.sur) and compiled INI files.
//
// "Reference" in the comments means the project's format reference of Freelancer. Everything is little-endian; text is
// Windows-1252. The coordinate system is right-handed with +Y up and the nose of a ship at −Z; units are metres; front
// faces are counter-clockwise (reference section 4).
package freelancer
