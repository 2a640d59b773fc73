import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { useRef, type ReactNode } from 'react'

import type { CreditedPart, PaymentPart, StatementReport } from '@/api/statement'
import { civilDate } from '@/lib/dates'
import { fromHryvnias } from '@/lib/money'
import { Button } from '@/ui/button'
import { Notice } from '@/ui/notice'
import { RecordCell, RecordRow, RecordTable } from '@/ui/record-table'
import { Sum } from '@/ui/sum'
import { useFocusAfter } from '@/ui/use-focus-after'

interface FoundProps {
  readonly report: StatementReport
  readonly marking: boolean
  /** The report tells what is left after a mark. */
  readonly marked: boolean
  readonly mark: (items: string[]) => void
}

/** What of a statement concerns the notary's orders: what can be marked, what can't, and why. */
export function Found({ report, marking, marked, mark }: FoundProps) {
  const { t } = useLingui()
  const { clear, unmarked, unclear, credits, known, other } = report
  const summary = useRef<HTMLParagraphElement>(null)
  useFocusAfter(marked, summary)
  // Two entries may say the same.
  const numbered = unclear.map((one, number) => ({ ...one, number }))
  return (
    <div className="flex flex-col gap-6">
      <p ref={summary} tabIndex={-1} role="status">
        <Trans>
          Зарахувань у виписці: {credits}. Позначено за випискою раніше: {known}. Не стосуються QR-кодів ваших
          замовлень: {other}.
        </Trans>
      </p>
      {clear.length > 0 && (
        <Part title={<Trans>Ваші 60 %, зараховані за випискою</Trans>}>
          <Parts caption={t`Ваші 60 %, зараховані за випискою`} parts={clear} />
          <div>
            <Button
              variant="primary"
              icon="check"
              loading={marking}
              onClick={() => mark(clear.map((part) => part.item_id))}
            >
              <Trans>Позначити як зараховані</Trans>
            </Button>
          </div>
        </Part>
      )}
      {unmarked.length > 0 && (
        <Part title={<Trans>Зараховано, але замовлення не позначено як сплачене за QR-кодами</Trans>}>
          <p className="text-ink-soft">
            <Trans>Відкрийте замовлення, позначте сплату за QR-кодами й виберіть виписку ще раз.</Trans>
          </p>
          <Parts
            caption={t`Зараховано, але замовлення не позначено як сплачене за QR-кодами`}
            parts={unmarked}
          />
        </Part>
      )}
      {unclear.length > 0 && (
        <Part title={<Trans>Не зрозуміло, якого платежу це зарахування</Trans>}>
          <p className="text-ink-soft">
            <Trans>Такі зарахування не позначаються. Звірте їх у банку.</Trans>
          </p>
          {numbered.map(({ number, ...credit }) => (
            <Unclear key={number} credit={credit} />
          ))}
        </Part>
      )}
      {clear.length + unmarked.length + unclear.length === 0 && (
        <p className="text-ink-soft">
          <Trans>Нових зарахувань за QR-кодами у виписці немає.</Trans>
        </p>
      )}
    </div>
  )
}

/** A credit of an unknown payment, and those that it may be of. */
function Unclear({
  credit: { on, amount, reference, parts },
}: {
  readonly credit: StatementReport['unclear'][number]
}) {
  return (
    <Notice
      tone="warn"
      title={
        <>
          {civilDate(on)} · <Sum value={fromHryvnias(amount)} />
        </>
      }
    >
      <p className="wrap-anywhere">
        {reference === null ? (
          <Trans>Банк не назвав референсу, за яким це зарахування можна відрізнити від інших.</Trans>
        ) : (
          <Trans>Референс банку: {reference}</Trans>
        )}
      </p>
      <ul className="list-disc pl-5">
        {parts.map((part) => (
          <li key={part.item_id}>
            <OrderLink part={part} />, {part.client_name}
            {part.credited_on !== null && <CreditedBefore day={civilDate(part.credited_on)} />}
          </li>
        ))}
      </ul>
    </Notice>
  )
}

function CreditedBefore({ day }: { readonly day: string }) {
  return (
    <>
      {', '}
      <Trans>зараховано за випискою {day}</Trans>
    </>
  )
}

function Part({ title, children }: { readonly title: ReactNode; readonly children: ReactNode }) {
  return (
    <div className="flex flex-col gap-3">
      <h3 className="font-semibold">{title}</h3>
      {children}
    </div>
  )
}

interface PartsProps {
  readonly caption: string
  readonly parts: readonly CreditedPart[]
}

function Parts({ caption, parts }: PartsProps) {
  const { t } = useLingui()
  const columns = [
    { label: t`Замовлення` },
    { label: t`Клієнт`, wide: true },
    { label: t`Зараховано` },
    { label: t`Сума`, align: 'end' },
  ] as const
  return (
    <RecordTable caption={caption} columns={columns}>
      {parts.map((part) => (
        <RecordRow key={part.item_id}>
          <RecordCell label={t`Замовлення`}>
            <OrderLink part={part} />
          </RecordCell>
          <RecordCell label={t`Клієнт`}>{part.client_name}</RecordCell>
          <RecordCell label={t`Зараховано`}>{civilDate(part.on)}</RecordCell>
          <RecordCell label={t`Сума`} align="end">
            <Sum value={fromHryvnias(part.amount)} />
          </RecordCell>
        </RecordRow>
      ))}
    </RecordTable>
  )
}

function OrderLink({ part }: { readonly part: PaymentPart }) {
  const number = part.order_number
  return (
    <Link to="/order/$id" params={{ id: part.order_id }} className="link">
      <Trans>№ {number}</Trans>
    </Link>
  )
}
