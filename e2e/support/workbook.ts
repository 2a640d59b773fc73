import { strFromU8, unzipSync } from 'fflate'

/** A cell as a spreadsheet program has it: a number is a number, everything else is text. */
export type Cell = string | number

/** The rows of a workbook's first sheet, by the letters of their columns. */
export function rowsOfWorkbook(bytes: Buffer): Record<string, Cell>[] {
  const files = unzipSync(bytes)
  const read = (name: string): string => {
    const file = files[name]
    if (file === undefined) throw new Error(`The workbook has no ${name}.`)
    return strFromU8(file)
  }
  const texts = [...read('xl/sharedStrings.xml').matchAll(/<si>(.*?)<\/si>/gs)].map(([, text]) =>
    plain((text ?? '').replace(/<[^>]+>/g, '')),
  )
  return [...read('xl/worksheets/sheet1.xml').matchAll(/<row [^>]*>(.*?)<\/row>/gs)].map(([, row]) =>
    Object.fromEntries(
      [...(row ?? '').matchAll(/<c r="([A-Z]+)\d+"([^>]*)><v>([^<]*)<\/v><\/c>/g)].map(
        ([, column = '', attributes = '', value = '']) => [
          column,
          attributes.includes('t="s"') ? (texts[Number(value)] ?? '') : Number(value),
        ],
      ),
    ),
  )
}

function plain(xml: string): string {
  return xml
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&')
}
