// Tables of fees and accounts that a start without the sandbox takes. Nothing is paid to their accounts here.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** An account with its check digits. */
function account(number) {
  const digits = 98n - (BigInt(`${number}301000`) % 97n)
  return `UA${String(digits).padStart(2, '0')}${number}`
}

/** The rows of a table as a real one would have them: other accounts, no invented names, no marks. */
const asReal = (rows) =>
  rows
    .replaceAll(/,yes(\r?)$/gm, ',no$1')
    .replaceAll('Демонстраційн', 'Печерськ')
    .replaceAll(/\bUA\d{2}899998(0999)(\d{15})\b/g, (_, _account, rest) => account(`8999980334${rest}`))
    .replaceAll(/\bUA\d{2}399999(\d{19})\b/g, (_, rest) => account(`305299${rest}`))

/** Writes the starter tables into a folder, changed so that they name no invented account. */
export function writeTables(folder) {
  mkdirSync(folder, { recursive: true })
  const starter = resolve(import.meta.dirname, '../../reference-data')
  for (const name of readdirSync(starter).filter((one) => one.endsWith('.csv'))) {
    const rows = readFileSync(join(starter, name), 'utf8')
    const isWithAccounts = name === 'requisites.csv' || name === 'templates.csv'
    writeFileSync(join(folder, name), isWithAccounts ? asReal(rows) : rows)
  }
}
