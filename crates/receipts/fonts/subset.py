#!/usr/bin/env python3
"""Makes the two fonts of the receipts out of the full Inter fonts.

Usage: subset.py FULL_REGULAR.ttf FULL_SEMIBOLD.ttf OUT_FOLDER   (needs Python's fonttools)

Three things are done, all of them because the receipts set their text without a shaping engine:
- only the letters of the languages that names in Ukraine are written in are kept, and no hinting or layout tables;
- figures are the tabular ones, so that columns of sums stand under each other;
- every code point gets a glyph of its own (the no-break space beside the space, the Cyrillic "А" beside the Latin
  one), so that copying text out of a receipt gives back exactly what was written.

Pairs that stand too far apart without kerning are collected in a `kern` table.
"""

import copy
import sys

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont, newTable
from fontTools.ttLib.tables._k_e_r_n import KernTable_format_0

KEPT = [
    (0x0020, 0x007E),  # ASCII
    (0x00A0, 0x017F),  # Latin-1, Latin Extended-A
    (0x0192, 0x0192), (0x01A0, 0x01A1), (0x01AF, 0x01B0), (0x0218, 0x021B), (0x0259, 0x0259),
    (0x02B9, 0x02BC), (0x02C6, 0x02C7),
    (0x0384, 0x03CE),  # Greek
    (0x0400, 0x045F), (0x0490, 0x04FF),  # Cyrillic
    (0x1E80, 0x1E85), (0x1E9E, 0x1E9E), (0x1EA0, 0x1EF9),  # Latin Extended Additional
    (0x2010, 0x2015), (0x2018, 0x201E), (0x2020, 0x2022), (0x2026, 0x2026), (0x2030, 0x2030),
    (0x2032, 0x2033), (0x2039, 0x203A), (0x2044, 0x2044),
    (0x20AC, 0x20AC), (0x20B4, 0x20B4), (0x2116, 0x2116), (0x2122, 0x2122),
    (0x2190, 0x2193), (0x2212, 0x2212), (0x2248, 0x2248), (0x2260, 0x2260), (0x2264, 0x2265),
    (0x25A1, 0x25A1), (0x2713, 0x2713), (0xFFFD, 0xFFFD),
]
# Kerning is worth its bytes for the letters that most of the text is made of.
KERNED = [chr(code) for code in range(0x0410, 0x0450)] + list("ҐґЄєІіЇї") + [
    chr(code) for code in list(range(0x41, 0x5B)) + list(range(0x61, 0x7B))
] + list(".,:;-–’«»“”()/")
KERN_UNITS_MIN_SHARE = 0.012  # of the em; smaller corrections are not seen


def tabular_figures(font):
    """Lets the digits' code points mean the tabular glyphs."""
    gsub = font["GSUB"].table
    lookups = {
        index
        for record in gsub.FeatureList.FeatureRecord
        if record.FeatureTag == "tnum"
        for index in record.Feature.LookupListIndex
    }
    mapping = {}
    for index in lookups:
        for subtable in gsub.LookupList.Lookup[index].SubTable:
            subtable = getattr(subtable, "ExtSubTable", subtable)
            mapping.update(getattr(subtable, "mapping", {}))
    digits = {ord(digit) for digit in "0123456789"}
    for table in font["cmap"].tables:
        for code, glyph in list(table.cmap.items()):
            if code in digits:
                table.cmap[code] = mapping.get(glyph, glyph)  # tables may share one map


def pair_adjustments(font):
    """The horizontal pair kerning of the letters of KERNED, in font units."""
    cmap = font.getBestCmap()
    glyphs = {cmap[ord(letter)]: letter for letter in KERNED if ord(letter) in cmap}
    gpos = font["GPOS"].table
    lookups = sorted(
        {
            index
            for record in gpos.FeatureList.FeatureRecord
            if record.FeatureTag == "kern"
            for index in record.Feature.LookupListIndex
        }
    )
    pairs = {}
    for index in lookups:
        found = {}
        for subtable in gpos.LookupList.Lookup[index].SubTable:
            subtable = getattr(subtable, "ExtSubTable", subtable)
            if subtable.LookupType != 2:
                continue
            covered = [glyph for glyph in subtable.Coverage.glyphs if glyph in glyphs]
            if subtable.Format == 1:
                sets = dict(zip(subtable.Coverage.glyphs, subtable.PairSet))
                for left in covered:
                    for record in sets[left].PairValueRecord:
                        if record.SecondGlyph in glyphs and record.Value1:
                            value = getattr(record.Value1, "XAdvance", 0) or 0
                            found.setdefault((glyphs[left], glyphs[record.SecondGlyph]), value)
            else:
                for left in covered:
                    row = subtable.Class1Record[subtable.ClassDef1.classDefs.get(left, 0)]
                    for right in glyphs:
                        cell = row.Class2Record[subtable.ClassDef2.classDefs.get(right, 0)]
                        value = (getattr(cell.Value1, "XAdvance", 0) or 0) if cell.Value1 else 0
                        found.setdefault((glyphs[left], glyphs[right]), value)
        for pair, value in found.items():
            pairs[pair] = pairs.get(pair, 0) + value
    smallest = KERN_UNITS_MIN_SHARE * font["head"].unitsPerEm
    return {pair: value for pair, value in pairs.items() if abs(value) >= smallest}


def own_glyph_for_every_code_point(font):
    """Duplicates each glyph that more than one code point shares."""
    cmap = font.getBestCmap()
    glyf, hmtx = font["glyf"], font["hmtx"]
    order = font.getGlyphOrder()
    used = set()
    renamed = {}
    for code in sorted(cmap):
        glyph = cmap[code]
        if glyph not in used:
            used.add(glyph)
            continue
        twin = f"uni{code:04X}.own"
        order = order + [twin]
        font.setGlyphOrder(order)
        glyf.glyphs[twin] = copy.deepcopy(glyf.glyphs[glyph])
        glyf.glyphOrder = order
        hmtx.metrics[twin] = hmtx.metrics[glyph]
        renamed[code] = twin
    for table in font["cmap"].tables:
        for code, twin in renamed.items():
            if code in table.cmap:
                table.cmap[code] = twin
    font["maxp"].numGlyphs = len(order)


def make(source, target):
    font = TTFont(source)
    pairs = pair_adjustments(font)
    tabular_figures(font)
    options = Options()
    options.layout_features = []
    options.hinting = False
    options.notdef_outline = True
    options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 13, 14]
    options.drop_tables += ["GSUB", "GPOS", "GDEF", "STAT", "MVAR", "meta", "gasp", "DSIG"]
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=[code for first, last in KEPT for code in range(first, last + 1)])
    subsetter.subset(font)
    own_glyph_for_every_code_point(font)
    cmap = font.getBestCmap()
    kern = newTable("kern")
    kern.version = 0
    table = KernTable_format_0()
    table.version, table.coverage, table.tupleIndex, table.apple = 0, 1, None, False
    table.kernTable = {
        (cmap[ord(left)], cmap[ord(right)]): value
        for (left, right), value in pairs.items()
        if ord(left) in cmap and ord(right) in cmap
    }
    kern.kernTables = [table]
    font["kern"] = kern
    font.save(target)
    print(target, "glyphs", len(font.getGlyphOrder()), "pairs", len(table.kernTable), "em", font["head"].unitsPerEm)


if __name__ == "__main__":
    regular, semibold, folder = sys.argv[1:]
    make(regular, f"{folder}/Inter-Regular.ttf")
    make(semibold, f"{folder}/Inter-SemiBold.ttf")
