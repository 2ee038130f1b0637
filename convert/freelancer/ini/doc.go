// Package ini converts between compiled INI files of Freelancer and their text. [Text] writes the text; [Parse] reads it.
package ini
