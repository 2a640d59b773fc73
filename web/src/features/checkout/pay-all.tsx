import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useRef, useState, type ReactNode } from 'react'

import { chosenReceipts } from '@/api/chosen-receipts'
import { savedCardsQuery, type SavedCard } from '@/api/saved-cards'
import { useDownloads } from '@/api/use-download'
import { useCardName } from '@/i18n/orders/card-name'
import { failureText, messageText } from '@/i18n/message-texts'
import { formatHryvnias, total } from '@/lib/money'
import { offerUrl } from '@/lib/offer-url'
import { useLocale } from '@/lib/use-locale'
import { useOnline } from '@/lib/use-online'
import { Button, buttonClass } from '@/ui/button'
import { Checkbox } from '@/ui/checkbox'
import { Dialog } from '@/ui/dialog'
import { Notice } from '@/ui/notice'
import { RadioCards } from '@/ui/radio'
import { Loading } from '@/ui/spinner'
import { Sum } from '@/ui/sum'
import { useFocusAfter } from '@/ui/use-focus-after'

import type { PaidGroup } from './create-order'
import { CardsNotice, OfferConsent, WHAT_PAYS, WhatPays } from './payment-method-dialog'
import type { PayOutcome } from './outcome'
import { mayStart, type PayAllRow } from './pay-all-rows'
import { TransfersToMake } from './transfers-to-make'
import { usePayAll } from './use-pay-all'

interface PayAllProps {
  /** Empty where a reload has interrupted the payment. */
  readonly groups: readonly PaidGroup[]
  readonly notaryId: string
  readonly offer: string | undefined
  readonly onClose: () => void
}

/** Pays several clients one after the other: one card, one agreement, an order each. Every outcome is shown by itself. */
export function PayAll({ groups, notaryId, offer, onClose }: PayAllProps) {
  const { rows, running, unknown, start, end } = usePayAll(groups, notaryId)
  const locale = useLocale()
  const [choice, setChoice] = useState<string | null>(null)
  const [agreed, setAgreed] = useState(false)
  const loaded = useQuery({ ...savedCardsQuery(), retry: false })
  const cards = loaded.data?.tokens ?? []
  const chosen = cards.find(({ Token }) => Token === (choice ?? loaded.data?.last_used))
  const waiting = (rows ?? []).filter(mayStart)
  const goesOn = waiting.length > 0 && !unknown && !running

  function close() {
    end()
    onClose()
  }

  return (
    <Dialog
      open
      onClose={close}
      closable={!running}
      title={<Trans>Сплатити за всіх</Trans>}
      actions={
        <>
          {goesOn && cards.length > 0 && (
            <div className="w-full">
              <Checkbox
                data-focus-first={chosen === undefined ? undefined : ''}
                label={<OfferConsent address={offerUrl(offer, locale)} />}
                checked={agreed}
                onChange={({ target }) => setAgreed(target.checked)}
              />
              {chosen !== undefined && <WhatPays card={chosen} />}
            </div>
          )}
          <PayAllActions
            {...{ waiting, running, close, end }}
            allPaid={rows?.every(({ state }) => state.kind === 'paid') === true}
            goesOn={goesOn && cards.length > 0}
            chosen={chosen}
            agreed={agreed}
            onPay={(card) => void start(card)}
          />
        </>
      }
    >
      {waiting.length > 0 && <Sum value={total(waiting.flatMap((row) => row.sum ?? []))} size="big" />}
      {rows === null ? <Loading /> : <Rows rows={rows} />}
      {!running && <Receipts rows={rows ?? []} />}
      {unknown && !running && (
        <Notice tone="warn" announce title={<Trans>Статус одного із замовлень ще невідомий</Trans>}>
          <Trans>
            Решту не сплачено: її платежі залишаються в кошику. Перевірте статус в архіві, перш ніж сплачувати
            далі.
          </Trans>
        </Notice>
      )}
      {goesOn && loaded.isPending && <Loading />}
      {goesOn && !loaded.isPending && cards.length === 0 && (
        <CardsNotice loadFailure={loaded.error}>
          <Trans>За кількох клієнтів поспіль можна сплатити лише збереженою карткою.</Trans>
        </CardsNotice>
      )}
      {goesOn && cards.length > 0 && (
        <CardsToPay cards={cards} value={chosen?.Token ?? null} onChoose={setChoice} />
      )}
    </Dialog>
  )
}

interface PayAllActionsProps {
  readonly waiting: readonly PayAllRow[]
  readonly running: boolean
  readonly allPaid: boolean
  readonly goesOn: boolean
  readonly chosen: SavedCard | undefined
  readonly agreed: boolean
  readonly onPay: (card: SavedCard) => void
  readonly close: () => void
  readonly end: () => void
}

function PayAllActions({
  waiting,
  running,
  allPaid,
  goesOn,
  chosen,
  agreed,
  onPay,
  close,
  end,
}: PayAllActionsProps) {
  const { t } = useLingui()
  const archive = useRef<HTMLAnchorElement>(null)
  const back = useRef<HTMLButtonElement>(null)
  const hasPay = goesOn || running
  // The pressed button is gone.
  useFocusAfter(!hasPay, allPaid ? archive : back)
  const online = useOnline()
  const sum = formatHryvnias(total(waiting.flatMap((row) => row.sum ?? [])), useLocale())
  const reason = online
    ? chosen === undefined
      ? t`Виберіть картку`
      : agreed
        ? null
        : t`Погодьтеся з умовами оферти`
    : t`Немає зв’язку з інтернетом`
  return (
    <>
      {hasPay && (
        <Button
          variant="primary"
          icon="card"
          loading={running}
          disabledReason={running ? null : reason}
          aria-describedby={WHAT_PAYS}
          onClick={() => {
            if (chosen !== undefined) onPay(chosen)
          }}
        >
          <Trans>Сплатити {sum}</Trans>
        </Button>
      )}
      {allPaid && (
        <Link ref={archive} to="/archive" onClick={end} className={buttonClass({ variant: 'primary' })}>
          <Trans>До архіву</Trans>
        </Link>
      )}
      {!running && (
        <Button ref={back} onClick={close}>
          <Trans>Повернутися до кошика</Trans>
        </Button>
      )}
    </>
  )
}

/** The receipts of all that was paid, by one press. */
function Receipts({ rows }: { readonly rows: readonly PayAllRow[] }) {
  const { i18n } = useLingui()
  const { start, running, failure } = useDownloads()
  const paid = rows.flatMap(({ state, order }) => (state.kind === 'paid' && order !== null ? [order.id] : []))
  const count = paid.length
  if (count < 2) return null
  return (
    <div className="flex flex-col items-start gap-2">
      <Button
        icon="receipt"
        loading={running.size > 0}
        onClick={() => start({ name: 'payment', load: () => chosenReceipts(paid, 'payment') })}
      >
        <Plural
          value={count}
          one="Квитанції # замовлення, один PDF"
          few="Квитанції # замовлень, один PDF"
          many="Квитанції # замовлень, один PDF"
          other="Квитанції # замовлення, один PDF"
        />
      </Button>
      {failure !== null && (
        <p role="alert" className="text-sm text-danger">
          {failureText(failure, i18n)}
        </p>
      )}
    </div>
  )
}

interface CardsToPayProps {
  readonly cards: readonly SavedCard[]
  readonly value: string | null
  readonly onChoose: (token: string) => void
}

function CardsToPay({ cards, value, onChoose }: CardsToPayProps) {
  const cardName = useCardName()
  return (
    <RadioCards
      legend={<Trans>Картка</Trans>}
      options={cards.map((card) => ({ value: card.Token, label: cardName(card) }))}
      value={value}
      onValueChange={onChoose}
    />
  )
}

function Rows({ rows }: { readonly rows: readonly PayAllRow[] }) {
  const { t } = useLingui()
  const clients = rows.length
  return (
    <>
      <p className="text-ink-soft">
        <Plural
          value={clients}
          one="Для # клієнта – окремі замовлення, одне за одним."
          few="Для # клієнтів – окремі замовлення, одне за одним."
          many="Для # клієнтів – окремі замовлення, одне за одним."
          other="Для # клієнта – окремі замовлення, одне за одним."
        />
      </p>
      <ul aria-label={t`Клієнти`} aria-live="polite" className="flex flex-col border-y border-rule">
        {rows.map((row) => (
          <li
            key={row.clientId}
            className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 border-b border-rule py-3 last:border-b-0"
          >
            <span className="min-w-0 flex-1 basis-48 wrap-anywhere">
              {row.clientName ?? <Trans>Клієнт, платежів якого вже немає в кошику</Trans>}
              <RowOutcome row={row} />
            </span>
            {row.sum !== null && <Sum value={row.sum} className="font-semibold" />}
            {row.group !== null && row.group.transfers.length > 0 && mayStart(row) && (
              <details className="w-full">
                <summary className="link w-fit py-1 text-sm">
                  <Trans>Кому і за якими реквізитами</Trans>
                </summary>
                <TransfersToMake transfers={row.group.transfers} />
              </details>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}

/** What is certain about the money of a client for whom no order is known. */
const refusedTexts: Record<PayOutcome, ReactNode> = {
  'nothing-sent': <Trans>Замовлення не створено, кошти не списано.</Trans>,
  'ordered-elsewhere': (
    <Trans>
      Якщо ці платежі оформлено в іншому вікні, замовлення є в архіві. Перевірте архів, перш ніж сплачувати
      знову.
    </Trans>
  ),
  unknown: <Trans>Чи створено замовлення, ще невідомо. Не сплачуйте іншим способом.</Trans>,
}

/** How the payment of one client stands, with the way to its order. */
function RowOutcome({ row: { state, order } }: { readonly row: PayAllRow }) {
  const { i18n } = useLingui()
  const number = order?.number
  const link = order !== null && state.kind !== 'paying' && (
    <Link to="/order/$id/payment-status" params={{ id: order.id }} className="link">
      <Trans>Замовлення № {number}</Trans>
    </Link>
  )
  switch (state.kind) {
    case 'waiting':
      return null
    case 'paying':
      return (
        <Line>
          <Trans>Сплачуємо…</Trans>
        </Line>
      )
    case 'paid':
      return (
        <Line>
          <Trans>Сплачено.</Trans> {link}
        </Line>
      )
    case 'unpaid':
      return (
        <Line bad>
          <Trans>Не сплачено, кошти не списано.</Trans> {link}
        </Line>
      )
    case 'refunded':
      return (
        <Line bad>
          <Trans>Платіж скасовано, кошти повернено на картку.</Trans> {link}
        </Line>
      )
    case 'confirm':
      return (
        <Line bad>
          <Trans>Банк просить підтвердити оплату: відкрийте замовлення.</Trans> {link}
        </Line>
      )
    case 'open':
      return (
        <Line bad>
          {messageText(state.reason, i18n)}. {link}
        </Line>
      )
    case 'lost':
      return (
        <Line bad>
          <Trans>Замовлення не знайдено. Перевірте архів, перш ніж сплачувати знову.</Trans>
        </Line>
      )
    case 'refused':
      return (
        <Line bad>
          {refusedTexts[state.outcome]} {failureText(state.failure, i18n)}
        </Line>
      )
  }
}

function Line({ children, bad = false }: { readonly children: ReactNode; readonly bad?: boolean }) {
  return (
    <span className={bad ? 'block text-sm text-caution' : 'block text-sm text-ink-soft'}>{children}</span>
  )
}
