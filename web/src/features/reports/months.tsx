import { Trans, useLingui } from '@lingui/react/macro'

import type { ReactNode } from 'react'

import type { Figures, Report } from '@/api/reports'
import { intlTag } from '@/lib/locale'
import { fromHryvnias } from '@/lib/money'
import { useLocale } from '@/lib/use-locale'
import { RecordCell, RecordRow, RecordTable } from '@/ui/record-table'
import { Sheet } from '@/ui/sheet'
import { Sum } from '@/ui/sum'

interface MonthRow {
  /** `2026-03` */
  readonly month: string
  readonly name: string
  readonly figures: Figures
  /** The notary's share, credited or on its way. */
  readonly own: number
}

interface MonthsProps {
  readonly report: Report
  /** Whether the notary has a share in fees; one of the state has none. */
  readonly hasShare: boolean
}

/** The months of the period: a bar chart, and a table with the same figures, which is what a screen reader reads. */
export function Months({ report, hasShare }: MonthsProps) {
  const { t } = useLingui()
  const locale = useLocale()
  const format = new Intl.DateTimeFormat(intlTag(locale), { month: 'long', year: 'numeric', timeZone: 'UTC' })
  const months: readonly MonthRow[] = report.months.map(({ month, figures }) => ({
    month,
    name: format.format(new Date(`${month}-01T00:00:00Z`)),
    figures,
    own: figures.own_planned + figures.own_sent + figures.own_credited,
  }))
  const ownLabel = t`Ваші 60 % (зараховано та очікується)`
  const columns = [
    { label: t`Місяць`, wide: true },
    { label: t`Кількість`, align: 'end' },
    { label: t`Сума`, align: 'end' },
    { label: t`Комісія`, align: 'end' },
    ...(hasShare ? [{ label: ownLabel, align: 'end' } as const] : []),
    { label: t`Повернено банком`, align: 'end' },
  ] as const
  return (
    <Sheet heading={<Trans>За місяцями</Trans>}>
      <Chart months={months} hasShare={hasShare} ownLabel={ownLabel} />
      <RecordTable caption={t`За місяцями`} columns={columns}>
        {months.map(({ month, name, figures, own }) => (
          <RecordRow key={month}>
            <RecordCell>{name}</RecordCell>
            <RecordCell label={t`Кількість`} align="end">
              {figures.count}
            </RecordCell>
            <RecordCell label={t`Сума`} align="end">
              <Sum value={fromHryvnias(figures.amount)} />
            </RecordCell>
            <RecordCell label={t`Комісія`} align="end">
              <Sum value={fromHryvnias(figures.commission)} />
            </RecordCell>
            {hasShare && (
              <RecordCell label={ownLabel} align="end">
                <Sum value={fromHryvnias(own)} />
              </RecordCell>
            )}
            <RecordCell label={t`Повернено банком`} align="end">
              <Sum value={fromHryvnias(figures.returned)} />
            </RecordCell>
          </RecordRow>
        ))}
      </RecordTable>
    </Sheet>
  )
}

interface ChartProps {
  readonly months: readonly MonthRow[]
  readonly hasShare: boolean
  readonly ownLabel: string
}

/** The sums of the months as bars. */
function Chart({ months, hasShare, ownLabel }: ChartProps) {
  const largest = Math.max(...months.map(({ figures }) => figures.amount))
  return (
    <div aria-hidden="true" className="mb-6 flex flex-col gap-3">
      {months.map(({ month, name, figures, own }) => (
        <div key={month} className="grid grid-cols-[7rem_minmax(0,1fr)] items-center gap-3 text-sm">
          <span className="text-ink-soft">{name}</span>
          <span className="flex flex-col gap-1">
            <Bar share={figures.amount / largest} className="bg-seal" />
            {hasShare && <Bar share={own / largest} className="bg-edge" />}
          </span>
        </div>
      ))}
      <p className="flex flex-wrap gap-x-6 text-sm text-ink-soft">
        <Key className="bg-seal" name={<Trans>Сума</Trans>} />
        {hasShare && <Key className="bg-edge" name={ownLabel} />}
      </p>
    </div>
  )
}

function Bar({ share, className }: { readonly share: number; readonly className: string }) {
  const width = Number.isFinite(share) ? share : 0
  return <span className={`block h-3 rounded-sm ${className}`} style={{ width: `${width * 100}%` }} />
}

function Key({ className, name }: { readonly className: string; readonly name: ReactNode }) {
  return (
    <span className="inline-flex items-center gap-2">
      <span className={`size-3 rounded-sm ${className}`} />
      {name}
    </span>
  )
}
