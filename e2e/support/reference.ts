import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect } from '@playwright/test'
import type { Cabinet } from './cabinet.ts'
import type { Notary } from './notary.ts'

const BUILT_IN = resolve(import.meta.dirname, '../../reference-data')

let versions = 0

/**
 * Replaces the reference data, as the operator does, by the built-in files with some lines changed, and waits until the
 * server uses them. Without changes it restores the built-in files. Files without a term or a template are refused where
 * a rule of deals names it, so a changed set has no deals unless the changes say otherwise.
 */
export async function loadReference(
  cabinet: Cabinet,
  notary: Notary,
  changes: Readonly<Record<string, (lines: string[]) => string[]>> = {},
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'cabinet-reference-'))
  try {
    cpSync(BUILT_IN, folder, { recursive: true })
    if (Object.keys(changes).length > 0)
      for (const file of readdirSync(folder).filter((name) => name.startsWith('deal-')))
        if (!(file in changes)) edit(join(folder, file), ([heads]) => [heads ?? ''])
    for (const [file, change] of Object.entries(changes)) edit(join(folder, file), change)
    // A unique template shows that this version is in use.
    versions += 1
    const mark = `Версія ${versions}`
    edit(join(folder, 'templates.csv'), (lines) => [
      ...lines,
      `mark-${versions},${mark},${mark},,ГУК у м.Києві/Демонстраційний/22090100,UA328999980999022090100300001,37993783,22090100,,"101 ${mark}, {clientName}, код {clientIPN}",2025-01-01,,yes`,
    ])
    cabinet.command('reference', 'load', folder, '--reason', 'a browser test', '--yes')
    await expect
      .poll(
        async () => {
          const { requisites_templates } = await notary.get<{ requisites_templates: { title: string }[] }>(
            '/payment-types/requisites/templates',
          )
          return requisites_templates.some(({ title }) => title === mark)
        },
        { message: 'the new reference data are in force' },
      )
      .toBe(true)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function edit(file: string, change: (lines: string[]) => string[]): void {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  writeFileSync(file, `${change(lines).join('\n')}\n`)
}

/** Removes the lines with one of these beginnings. */
export function without(...beginnings: string[]): (lines: string[]) => string[] {
  return (lines) => lines.filter((line) => !beginnings.some((beginning) => line.startsWith(beginning)))
}

/** Replaces a text in every line with this beginning; at least one must match. */
export function changed(beginning: string, from: string, to: string): (lines: string[]) => string[] {
  return (lines) => {
    const fits = (line: string): boolean => line.startsWith(beginning) && line.includes(from)
    if (!lines.some(fits)) throw new Error(`No line begins with ${beginning} and holds ${from}.`)
    return lines.map((line) => (fits(line) ? line.replace(from, to) : line))
  }
}
