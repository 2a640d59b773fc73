import { Trans, useLingui } from '@lingui/react/macro'
import { useRef, useState, type Ref } from 'react'

import type { DealPayment } from '@/api/deals'
import { Failed } from '@/forms/failed'
import { formatHryvnias, fromHryvnias } from '@/lib/money'
import { useLocale } from '@/lib/use-locale'
import { MoneyField } from '@/ui/money-field'
import { RecordCell, RecordNote, RecordRow, RecordTable } from '@/ui/record-table'
import { Select } from '@/ui/select'
import { Skeleton } from '@/ui/skeleton'
import { SlashedName } from '@/ui/slashed-name'
import { Sum } from '@/ui/sum'
import { TextField } from '@/ui/text-field'
import { useFocusAfter } from '@/ui/use-focus-after'

import { payerName, payerOf } from './payers'
import { feeWayOf } from './recipients'
import { textOf, type Deal } from './use-deal'
import {
  actionField,
  isAdded,
  nameField,
  needsReason,
  ownSumField,
  reasonField,
  recipientField,
  REGION,
  valueOf,
  type DealLine,
} from './values'

/** What the deal needs to be paid for: each payment with its ground, or why nothing is paid. */
export function PaymentsTable({ deal }: { readonly deal: Deal }) {
  const { t } = useLingui()
  const { lines, calculation } = deal
  const columns = [
    { label: t`Платіж`, wide: true },
    { label: t`Розрахунок` },
    { label: t`Платник` },
    { label: t`Отримувач` },
    { label: t`Сума`, align: 'end' },
  ] as const
  if (lines.length === 0) return <NoPayments waiting={calculation.waiting} />
  const due = lines.filter(({ way }) => way !== null)
  return (
    <div className="flex flex-col gap-1.5" aria-busy={calculation.waiting || undefined}>
      <RegionsFailure deal={deal} />
      {due.length > 0 && (
        <RecordTable dense caption={t`Платежі за нотаріальною дією`} columns={columns}>
          {due.map((line) => (
            <PaymentRows key={line.payment.id} deal={deal} line={line} />
          ))}
        </RecordTable>
      )}
      <NotDue lines={lines.filter(({ way }) => way === null)} isAll={due.length === 0} />
    </div>
  )
}

/** What need not be paid, and why. */
function NotDue({ lines, isAll }: { readonly lines: readonly DealLine[]; readonly isAll: boolean }) {
  const count = lines.length
  if (count === 0) return null
  return (
    <details open={isAll} className="text-sm">
      <summary className="cursor-pointer py-1 text-ink-soft">
        <Trans>Не сплачується: {count}</Trans>
      </summary>
      <ul className="flex flex-col gap-1.5 pt-1">
        {lines.map(({ payment }) => (
          <li key={payment.id}>
            <span className="font-medium">{payment.name}</span>{' '}
            <span className="text-ink-soft">{payment.ground}</span>
          </li>
        ))}
      </ul>
    </details>
  )
}

function NoPayments({ waiting }: { readonly waiting: boolean }) {
  if (!waiting)
    return (
      <p className="text-ink-soft">
        <Trans>
          Розрахунок з’явиться тут, коли буде вказано вид нотаріальної дії, суми й відповіді на всі запитання.
        </Trans>
      </p>
    )
  return (
    <div aria-busy="true" className="flex flex-col gap-4">
      <span className="sr-only">
        <Trans>Розраховуємо платежі…</Trans>
      </span>
      <Skeleton className="h-5 w-2/3" />
      <Skeleton className="h-5 w-1/2" />
      <Skeleton className="h-5 w-3/5" />
    </div>
  )
}

/** The region of the recipients, once for all fees. */
export function RegionSelect({ deal }: { readonly deal: Deal }) {
  const { t } = useLingui()
  const { form, lines, recipients } = deal
  if (!hasRegions(lines)) return null
  return (
    <Select
      {...textOf(form, REGION)}
      value={recipients.region}
      label={t`Регіон отримувачів`}
      placeholder={t`Виберіть…`}
      loading={recipients.regions.length === 0 && recipients.loading}
      options={recipients.regions.map(({ id, name }) => ({ value: id, label: name }))}
      className="w-full [&_select]:sm:min-h-9 [&_select]:sm:py-1 sm:max-w-lg sm:flex-row! sm:items-center sm:gap-3! [&>label]:shrink-0 [&>span]:grow"
    />
  )
}

function RegionsFailure({ deal: { lines, recipients } }: { readonly deal: Deal }) {
  if (!hasRegions(lines) || recipients.failure === null) return null
  return (
    <Failed
      failure={recipients.failure}
      title={<Trans>Список не вдалося завантажити</Trans>}
      retry={<Trans>Спробувати ще раз</Trans>}
      onRetry={recipients.retry}
    />
  )
}

/** Whether a recipient depends on the region. */
const hasRegions = (lines: readonly DealLine[]) =>
  lines.some((line) => isAdded(line) && feeWayOf(line) !== null)

function PaymentRows({ deal, line }: { readonly deal: Deal; readonly line: DealLine }) {
  const { t } = useLingui()
  const { payment, payable } = line
  const [isOpened, setOpened] = useState(false)
  const isOpen = isOpened || !isSettled(deal, line)
  const choices = useRef<HTMLSelectElement>(null)
  useFocusAfter(isOpened, choices)
  return (
    <>
      <RecordRow>
        <RecordCell>
          <WhatIsPaid line={line} />
        </RecordCell>
        <RecordCell label={t`Розрахунок`} className="@5xl:whitespace-nowrap">
          <Reckoning payment={payment} />
        </RecordCell>
        <RecordCell label={t`Платник`}>
          <PayerCell deal={deal} payment={payment} />
        </RecordCell>
        <RecordCell label={t`Отримувач`} className="@5xl:min-w-62">
          <span className="wrap-break-word">
            <RecipientName deal={deal} line={line} />
          </span>
        </RecordCell>
        <RecordCell label={t`Сума`} align="end">
          <PaymentSum line={line} />
          {payable && !isOpen && (
            <button
              type="button"
              aria-label={t`Змінити: ${payment.name}`}
              onClick={() => setOpened(true)}
              className="link -my-[3px] block min-h-[24px] @2xl:ml-auto @max-2xl:my-0 @max-2xl:min-h-10"
            >
              <Trans>Змінити</Trans>
            </button>
          )}
        </RecordCell>
      </RecordRow>
      {payable && isOpen && (
        <RecordRow continued>
          <RecordNote columns={5}>
            <Decision ref={choices} deal={deal} line={line} />
          </RecordNote>
        </RecordRow>
      )}
    </>
  )
}

/** The payment with its ground, and what is doubtful about it. */
function WhatIsPaid({ line: { payment, payable, due, way } }: { readonly line: DealLine }) {
  return (
    <>
      <span className="block font-medium">{payment.name}</span>
      <span className="block text-xs text-ink-soft">{payment.ground}</span>
      {payment.unconfirmed && (
        <span className="block text-caution">
          <Trans>Правило підтверджено не повністю: перевірте його.</Trans>
        </span>
      )}
      {/* The ground says who withholds a payment. */}
      {!payable && way !== null && way.way !== 'withheld' && (
        <span className="block text-caution">
          {due === null ? (
            <Trans>Суму визначаєте ви. Сплачується окремо: у кабінеті немає реквізитів.</Trans>
          ) : way.way === 'unconfirmed' ? (
            <Trans>Сплачується окремо: реквізити в кабінеті ще не підтверджено.</Trans>
          ) : (
            <Trans>Сплачується окремо: у кабінеті немає реквізитів цього платежу.</Trans>
          )}
        </span>
      )}
    </>
  )
}

/** Whether a payment is added as it was calculated, to the recipient of the last time, and nothing was decided by hand. */
function isSettled({ form, recipients }: Deal, line: DealLine): boolean {
  const { id } = line.payment
  return (
    line.action === 'add' &&
    valueOf(form.values, actionField(id)) === '' &&
    valueOf(form.values, recipientField(id)) === '' &&
    form.text(recipientField(id)).error === null &&
    (recipients.listed.get(id) === undefined || recipients.loading || Boolean(recipients.chosen.get(id)))
  )
}

/** Who pays: the party, her share and her name where several of it pay. */
function PayerCell({ deal, payment }: { readonly deal: Deal; readonly payment: DealPayment }) {
  const { i18n } = useLingui()
  const payer = payerOf(payment)
  const payers = deal.lines.map((line) => payerOf(line.payment))
  const { share } = payment
  return (
    <>
      <span className="block">
        {payerName(payer, payers, i18n)}
        {share !== null && `, ${share.part}/${share.of}`}
      </span>
      {share !== null && (
        <span className="block wrap-anywhere text-ink-soft">
          {valueOf(deal.form.values, nameField(payer))}
        </span>
      )}
    </>
  )
}

/** Base and rate of a percentage, or where else the sum comes from. */
function Reckoning({ payment: { outcome } }: { readonly payment: DealPayment }) {
  const { t } = useLingui()
  const locale = useLocale()
  if (outcome.state === 'nothing') return '–'
  if (outcome.state === 'unknown') return t`суму визначаєте ви`
  const { percentage, stale, sum, count } = outcome
  const sumOf = (hryvnias: number) => formatHryvnias(fromHryvnias(hryvnias), locale)
  if (percentage === null) {
    return (
      <>
        {stale === null ? t`за тарифом` : <span className="text-caution">{t`за тарифом минулого року`}</span>}
        {count > 1 && (
          <span className="block whitespace-nowrap text-ink-soft tabular-nums">
            {count} × {sumOf(sum / count)}
          </span>
        )}
      </>
    )
  }
  const rate = (percentage.basis_points / 100).toLocaleString(locale)
  const bases = {
    price: t`${rate} % від ціни`,
    valuation: t`${rate} % від оціночної вартості`,
    larger: t`${rate} % від більшої із сум`,
  }
  const { minimum, maximum } = percentage
  return (
    <>
      <span className="block">{bases[percentage.base]}</span>
      <span className="block whitespace-nowrap text-ink-soft tabular-nums">{sumOf(percentage.base_sum)}</span>
      {minimum !== null && (
        <span className="block text-ink-soft">
          {t`не менше`} {sumOf(minimum)}
        </span>
      )}
      {maximum !== null && (
        <span className="block text-ink-soft">
          {t`не більше`} {sumOf(maximum)}
        </span>
      )}
    </>
  )
}

function RecipientName({ deal, line }: { readonly deal: Deal; readonly line: DealLine }) {
  const { t } = useLingui()
  const { recipients } = deal
  const { way, payment } = line
  if (!isAdded(line)) return '–'
  if (way?.way === 'template')
    return (
      <SlashedName
        name={recipients.templates.find(({ id }) => id === way.template_id)?.recipient_name ?? '…'}
      />
    )
  const chosen = recipients.chosen.get(payment.id)
  const requisite = recipients.listed.get(payment.id)?.find(({ id }) => id === chosen)
  return requisite === undefined ? t`ще не вибрано` : <SlashedName name={requisite.name} />
}

function PaymentSum({ line }: { readonly line: DealLine }) {
  const { payable, action, due, sum } = line
  if (payable && action === 'leave_out')
    return (
      <span className="text-ink-soft">
        <Trans>не додається</Trans>
      </span>
    )
  const shown = payable ? sum : due
  return shown === null ? '–' : <Sum value={shown} className="font-medium" />
}

/** What is to be done with a payment, and why otherwise than it was calculated. */
function Decision({
  ref,
  deal,
  line,
}: {
  /** The first of its fields. */
  readonly ref: Ref<HTMLSelectElement>
  readonly deal: Deal
  readonly line: DealLine
}) {
  const { t } = useLingui()
  const { form, recipients } = deal
  const { payment, way, due, action } = line
  const { id } = payment
  const listed = recipients.listed.get(id)
  const options = [
    ...(due === null ? [] : [{ value: 'add', label: t`Додати до кошика` }]),
    ...(way?.way === 'template' ? [{ value: 'other_sum', label: t`Додати з іншою сумою` }] : []),
    { value: 'leave_out', label: t`Не додавати` },
  ]
  return (
    <div className="grid gap-x-6 gap-y-4 pb-4 sm:grid-cols-2">
      <Select
        {...textOf(form, actionField(id))}
        ref={ref}
        value={action}
        label={t`Що зробити`}
        aria-label={t`Що зробити: ${payment.name}`}
        options={options}
      />
      {listed !== undefined && isAdded(line) && (
        <Select
          {...textOf(form, recipientField(id))}
          value={recipients.chosen.get(id) ?? ''}
          label={t`Отримувач`}
          aria-label={t`Отримувач: ${payment.name}`}
          placeholder={t`Виберіть…`}
          loading={recipients.loading && listed.length === 0}
          disabledReason={recipients.region === '' ? t`Спершу виберіть регіон` : null}
          options={listed.map((requisite) => ({ value: requisite.id, label: requisite.name }))}
        />
      )}
      {action === 'other_sum' && (
        <MoneyField
          {...textOf(form, ownSumField(id))}
          label={due === null ? t`Сума` : t`Інша сума`}
          onBlur={() => form.check(ownSumField(id))}
        />
      )}
      {needsReason(line) && (
        <TextField
          {...textOf(form, reasonField(id))}
          label={action === 'leave_out' ? t`Чому не додавати` : t`Чому інша сума`}
          maxLength={250}
          autoComplete="off"
        />
      )}
    </div>
  )
}
