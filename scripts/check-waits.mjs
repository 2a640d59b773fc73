// Tests and what supports them wait for a state, never for a time. Looks for waits that depend on speed; one that is right says so in a
// comment, in its line or in the three lines before it. Looks also for reads of the focus that may come too early.
//
//     node scripts/check-waits.mjs FOLDER...

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { argv } from 'node:process'
import { pathToFileURL } from 'node:url'

/** A busy machine may need so long for what a test waits for. */
const LIMIT_MILLISECONDS_MIN = 30_000

/** What the three lines before a wait and its own line have where it is explained. */
const COMMENT = /(?:^|\s)\/\/ |^\s*\*/m

/** Says what is wrong with the wait in this line; null if nothing is. */
function faultOf(line) {
  if (/^\s*(?:\/\/|\*|\/\*)/.test(line)) return null
  if (line.includes('waitForTimeout(')) return 'waits for a time'
  if (line.includes('networkidle')) return 'waits for silence on the line'
  // A fake clock is told which of the clock's functions it replaces.
  if (/\bsetTimeout\(/.test(line) && !line.includes('test.setTimeout(')) return 'waits for a time'
  const limit = /\btimeout: ?([\d_]+)/.exec(line)?.[1]
  if (limit !== undefined && Number(limit.replaceAll('_', '')) < LIMIT_MILLISECONDS_MIN)
    return 'has a limit that a busy machine reaches'
  return null
}

/** Returns the lines that depend on speed and have no reason beside them, as `number: what is wrong`. */
export function waitsIn(text) {
  const lines = text.split('\n')
  return lines.flatMap((line, index) => {
    const fault = faultOf(line)
    const around = lines.slice(Math.max(index - 3, 0), index + 1).join('\n')
    return fault === null || COMMENT.test(around) ? [] : [`${index + 1}: ${fault}`]
  })
}

/** What moves the focus before it returns. */
const MOVES = /\b(?:user|userEvent)\.|\bact\(|\.focus\(|\brerender\(/

/**
 * Returns the lines of a page test that read the focus as soon as something has come, as `number: what is wrong`. What moves it then is an
 * effect, which may run after the text is there. A function that is awaited may end by waiting, too.
 */
export function earlyFocusIn(text) {
  const lines = text.split('\n')
  return lines.flatMap((line, index) => {
    if (!/(?<!\.not)\.toHaveFocus\(\)/.test(line)) return []
    let first = index
    // The statement may begin some lines above.
    while (first > 0 && !/\bexpect\(/.test(lines[first])) first -= 1
    const isWaitedFor = /\bwaitFor\(/.test(lines[first]) || /\bwaitFor\(.*=>\s*$/.test(lines[first - 1] ?? '')
    if (isWaitedFor) return []
    const decides = /\bawait\b|^\s*(?:it|test)\b/
    const before = lines.slice(0, index + 1).findLast((each) => decides.test(each) || MOVES.test(each)) ?? ''
    const isEarly = /\bawait\b/.test(before) && !MOVES.test(before)
    return isEarly ? [`${index + 1}: reads the focus before an effect may have moved it`] : []
  })
}

function main(folders) {
  const faults = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true })
      .map((file) => join(folder, file))
      .filter((file) => /(?:\.test\.tsx?|\.spec\.ts|^support\b.*\.ts)$/.test(file))
      .flatMap((file) => {
        const text = readFileSync(file, 'utf8')
        return [...waitsIn(text), ...earlyFocusIn(text)].map((fault) => `${file}:${fault}`)
      }),
  )
  for (const fault of faults) console.error(`${fault}; wait for a state, or say in a comment why not`)
  if (faults.length > 0) process.exitCode = 1
}

if (import.meta.url === pathToFileURL(argv[1] ?? '').href) main(argv.slice(2))
