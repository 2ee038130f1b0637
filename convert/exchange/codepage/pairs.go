//go:build !js

package codepage

import (
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
)

// pairs are the pages that have characters of two bytes.
var pairs = []*Page{
	newPage("932", japanese.ShiftJIS), newPage("936", simplifiedchinese.GBK), newPage("949", korean.EUCKR), newPage("950", traditionalchinese.Big5),
}
