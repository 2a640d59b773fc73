// The tables at the end.

import { median } from '../../lib/statistics.mjs'
import { DATABASE, SEED } from '../options.mjs'
import { seen } from '../record.mjs'
import { list } from '../words.mjs'

function print(rows) {
  const widths = rows[0].map((_, place) => Math.max(...rows.map((row) => String(row[place]).length)))
  for (const row of rows)
    console.log(`| ${row.map((cell, place) => String(cell).padEnd(widths[place])).join(' | ')} |`)
}

function failuresByKind(met) {
  const head = [
    'failure',
    'times',
    'seconds without writes, median',
    'most',
    '503',
    'no answer',
    'late',
    'other 5xx',
  ]
  const rows = [...Map.groupBy(met, (one) => one.kind)].map(([kind, all]) => {
    const sum = (key) => all.reduce((total, one) => total + one[key], 0)
    const gaps = all.map((one) => one.gap)
    const [usual, most] = [median(gaps).toFixed(1), Math.max(...gaps).toFixed(1)]
    return [kind, all.length, usual, most, sum('503'), sum('none'), sum('late'), sum('wrong')]
  })
  return [head, head.map(() => '---'), ...rows]
}

/** Prints what clients met at each kind of failure, and what was found at the end. */
export function printTable(met, found, days) {
  console.log('')
  print(failuresByKind(met))
  const rows = [
    ['found at the end', ''],
    ['---', '---'],
    ['database, seed', `${DATABASE}, ${SEED}`],
    ['failures', met.filter((one) => one.kind !== '(nothing)').length],
    ['acknowledged cart adds', seen.items.size],
    ['acknowledged orders', seen.orders.size],
    ['orders', `${found.orders}: ${list(found.byStatus)}`],
    ['charges', found.charges],
    ['lost', found.gone],
    ['charged twice', found.double],
    ['doctor', found.doctor.code === 0 ? 'everything holds' : `code ${found.doctor.code}`],
    ['alarms', list(found.byAlarm)],
    ['days of the statement compared', days],
    ['payers', list(seen.payers)],
    ['refusals', list(seen.refusals)],
  ]
  console.log('')
  print(rows)
}
