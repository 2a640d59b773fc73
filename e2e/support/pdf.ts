import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The text of a PDF in reading order, on one line with single spaces. Fails if qpdf finds an error in the file. */
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
