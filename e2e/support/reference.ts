import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect } from '@playwright/test'
import type { Cabinet } from './cabinet.ts'
import type { Notary } from './notary.ts'

const BUILT_IN = resolve(import.meta.dirname, '../../reference-data')

let versions = 0

/**
 * Replaces the reference data as the operator does, by the built-in files with some lines changed, and waits until the running
 * server goes by them. Without changes it puts the built-in files back.
 */
export async function loadReference(
  cabinet: Cabinet,
  notary: Notary,
  changes: Readonly<Record<string, (lines: string[]) => string[]>> = {},
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'cabinet-reference-'))
  try {
    cpSync(BUILT_IN, folder, { recursive: true })
    for (const [file, change] of Object.entries(changes)) edit(join(folder, file), change)
    // A template of its own tells that this version is the one in force.
    versions += 1
    const mark = `Версія ${versions}`
    edit(join(folder, 'templates.csv'), (lines) => [
      ...lines,
      `mark-${versions},${mark},${mark},,ГУК у м.Києві/Демонстраційний/22090100,UA328999980999022090100300001,37993783,22090100,"101 ${mark}, {clientName}, код {clientIPN}",2025-01-01,,yes`,
    ])
    cabinet.command('reference', 'load', folder)
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

/** Lines that begin so are left out. */
export function without(...beginnings: string[]): (lines: string[]) => string[] {
  return (lines) => lines.filter((line) => !beginnings.some((beginning) => line.startsWith(beginning)))
}

/** One text in place of another in every line that begins so; there has to be one. */
export function changed(beginning: string, from: string, to: string): (lines: string[]) => string[] {
  return (lines) => {
    const fits = (line: string): boolean => line.startsWith(beginning) && line.includes(from)
    if (!lines.some(fits)) throw new Error(`No line begins with ${beginning} and holds ${from}.`)
    return lines.map((line) => (fits(line) ? line.replace(from, to) : line))
  }
}
