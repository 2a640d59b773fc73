import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'

import type { Figures, Report } from '@/api/reports'
import { fromHryvnias } from '@/lib/money'
import { paymentKindText } from '@/lib/payment-kind'
import { RecordCell, RecordRow, RecordTable } from '@/ui/record-table'
import { Sheet } from '@/ui/sheet'
import { Sum } from '@/ui/sum'

interface ShareProps {
  readonly report: Report
  /** Whether the notary has a share in fees; one of the state has none. */
  readonly hasShare: boolean
}

/** The figures of the whole period. */
export function Totals({ report: { total, by }, hasShare }: ShareProps) {
  const byPayment = by === 'payment'
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6 lg:grid-cols-2">
      <Sheet heading={byPayment ? <Trans>Сплачено</Trans> : <Trans>Зараховано</Trans>}>
        <Sum value={fromHryvnias(total.amount)} size="big" />
        <p className="text-ink-soft">
          <Trans>отримувачам, без комісії</Trans>
        </p>
        <dl className="mt-4 flex flex-col gap-2">
          <Line name={byPayment ? <Trans>Платежів</Trans> : <Trans>Переказів</Trans>}>{total.count}</Line>
          <Line name={<Trans>Комісія</Trans>}>
            <Sum value={fromHryvnias(total.commission)} />
          </Line>
          {byPayment && (
            <Line name={<Trans>Разом з комісією</Trans>}>
              <Sum value={fromHryvnias(total.total)} />
            </Line>
          )}
          <Line name={<Trans>Повернено банком</Trans>}>
            <Sum value={fromHryvnias(total.returned)} />
          </Line>
          {byPayment && total.codes_count > 0 && (
            <Line name={<Trans>Сплачено за QR-кодами, без комісії (не входить до інших сум)</Trans>}>
              <Sum value={fromHryvnias(total.codes)} />
            </Line>
          )}
          {byPayment && (
            <Line name={<Trans>Повернено на картку (не входить до інших сум)</Trans>}>
              <Sum value={fromHryvnias(total.refunded)} />
            </Line>
          )}
        </dl>
      </Sheet>
      {hasShare && <Own total={total} byPayment={byPayment} />}
    </div>
  )
}

/** The notary's share. */
function Own({ total, byPayment }: { readonly total: Figures; readonly byPayment: boolean }) {
  return (
    <Sheet heading={<Trans>Ваші 60 %</Trans>}>
      <Sum value={fromHryvnias(total.own_credited)} size="big" />
      <p className="text-ink-soft">
        <Trans>зараховано на ваш рахунок</Trans>
      </p>
      <dl className="mt-4 flex flex-col gap-2">
        {byPayment && <OwnOnTheWay total={total} />}
        <Line name={<Trans>Повернено банком</Trans>}>
          <Sum value={fromHryvnias(total.own_returned)} />
        </Line>
      </dl>
    </Sheet>
  )
}

/** The share that is not credited yet. By the day of crediting it has no day. */
function OwnOnTheWay({ total }: { readonly total: Figures }) {
  return (
    <>
      <Line name={<Trans>Очікує передачі банку</Trans>}>
        <Sum value={fromHryvnias(total.own_planned)} />
      </Line>
      <Line name={<Trans>Надіслано на ваш рахунок</Trans>}>
        <Sum value={fromHryvnias(total.own_sent)} />
      </Line>
    </>
  )
}

function Line({ name, children }: { readonly name: ReactNode; readonly children: ReactNode }) {
  return (
    <div className="flex flex-wrap justify-between gap-x-4">
      <dt className="text-ink-soft">{name}</dt>
      {/* On the right also below a name that takes the whole line. */}
      <dd className="ml-auto tabular-nums">{children}</dd>
    </div>
  )
}

/** What was paid, by kind of payment. Kinds without payments are left out. */
export function Kinds({ report }: { readonly report: Report }) {
  const { t, i18n } = useLingui()
  const kinds = report.kinds.filter(({ figures }) => figures.count > 0)
  if (kinds.length === 0) return null
  const columns = [
    { label: t`Вид платежу`, wide: true },
    { label: t`Кількість`, align: 'end' },
    { label: t`Сума`, align: 'end' },
    { label: t`Комісія`, align: 'end' },
    { label: t`Разом`, align: 'end' },
  ] as const
  return (
    <Sheet heading={<Trans>За видами платежів</Trans>}>
      <RecordTable caption={t`За видами платежів`} columns={columns}>
        {kinds.map(({ payment_type, figures }) => (
          <RecordRow key={payment_type}>
            <RecordCell>{i18n._(paymentKindText[payment_type])}</RecordCell>
            <RecordCell label={t`Кількість`} align="end">
              {figures.count}
            </RecordCell>
            <RecordCell label={t`Сума`} align="end">
              <Sum value={fromHryvnias(figures.amount)} />
            </RecordCell>
            <RecordCell label={t`Комісія`} align="end">
              <Sum value={fromHryvnias(figures.commission)} />
            </RecordCell>
            <RecordCell label={t`Разом`} align="end">
              <Sum value={fromHryvnias(figures.total)} />
            </RecordCell>
          </RecordRow>
        ))}
      </RecordTable>
    </Sheet>
  )
}
