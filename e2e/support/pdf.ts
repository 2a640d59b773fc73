import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The text of a PDF as a reader shows it, in one line with single spaces; qpdf finds nothing wrong with the file. */
export function textOfPdf(bytes: Buffer): string {
  const folder = mkdtempSync(join(tmpdir(), 'cabinet-pdf-'))
  try {
    const file = join(folder, 'receipt.pdf')
    writeFileSync(file, bytes)
    execFileSync('qpdf', ['--check', file], { stdio: 'pipe' })
    return execFileSync('pdftotext', ['-layout', file, '-'], { encoding: 'utf8' }).replace(/\s+/g, ' ')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
