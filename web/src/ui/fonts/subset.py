#!/usr/bin/env python3
"""Makes the fonts of the pages out of those of @fontsource-variable/inter.

Usage: subset.py NODE_MODULES OUT_FOLDER   (needs Python's fonttools and brotli)

A page waits for its letters, so each file has only what the pages set: the weights from normal to semibold, the letters of
its alphabet, their kerning, and figures of one width. What a name may have beyond them stands in a file that is only asked
for where it occurs.
"""

import sys

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import OverlapMode, instantiateVariableFont

# The file it comes from; the code points kept, which theme.css repeats.
FILES = {
    "inter-cyrillic": ("cyrillic", [(0x0400, 0x045F), (0x0490, 0x0491), (0x2116, 0x2116)]),
    "inter-latin": (
        "latin",
        [
            (0x0020, 0x007E), (0x00A0, 0x00FF), (0x0131, 0x0131), (0x0152, 0x0153), (0x02BC, 0x02BC),
            (0x2002, 0x2003), (0x2007, 0x200B), (0x2010, 0x2015), (0x2018, 0x201E), (0x2020, 0x2022), (0x2026, 0x2026),
            (0x202F, 0x202F), (0x2030, 0x2030), (0x2032, 0x2033), (0x2039, 0x203A), (0x2044, 0x2044), (0x20AC, 0x20AC),
            (0x2122, 0x2122), (0x2191, 0x2191), (0x2193, 0x2193), (0x2212, 0x2212), (0xFFFD, 0xFFFD),
        ],
    ),
    "inter-latin-ext": ("latin-ext", [(0x0100, 0x0130), (0x0132, 0x0151), (0x0154, 0x017F), (0x0218, 0x021B)]),
}
WEIGHTS = (400, 600)
# Figures of one width, and letters with a mark.
FEATURES = ["tnum", "ccmp", "kern", "mark", "mkmk"]


def make(source, ranges, target):
    options = Options()
    options.layout_features = FEATURES
    options.hinting = False
    options.glyph_names = False
    options.drop_tables += ["STAT", "meta", "gasp", "prep"]
    options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 13, 14]
    font = TTFont(source)
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=[code for first, last in ranges for code in range(first, last + 1)])
    subsetter.subset(font)
    instantiateVariableFont(font, {"wght": WEIGHTS}, inplace=True, overlap=OverlapMode.KEEP_AND_DONT_SET_FLAGS)
    font.flavor = "woff2"
    font.save(target)
    print(target, "glyphs", len(font.getGlyphOrder()))


if __name__ == "__main__":
    node_modules, folder = sys.argv[1:]
    for name, (alphabet, ranges) in FILES.items():
        source = f"{node_modules}/@fontsource-variable/inter/files/inter-{alphabet}-wght-normal.woff2"
        make(source, ranges, f"{folder}/{name}.woff2")
