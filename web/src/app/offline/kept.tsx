import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useEffect } from 'react'

import { LAST_CART, notaryWithoutServer, readLastCart, type LastCart } from '@/api/last-cart'
import { shortDate, timeOfDay } from '@/lib/dates'
import { fromHryvnias } from '@/lib/money'
import { paymentKindText } from '@/lib/payment-kind'
import { keptInTab } from '@/lib/tab-storage'
import { Sheet } from '@/ui/sheet'
import { Sum } from '@/ui/sum'

/** What is shown of a payment that is being typed, in the order of its form. Choices from lists are stored without their names. */
const draftFields: readonly (readonly [string, MessageDescriptor])[] = [
  ['clientName', msg`Клієнт`],
  ['clientCode', msg`Код клієнта`],
  ['recipientName', msg`Отримувач`],
  ['okpo', msg`Код отримувача`],
  ['iban', msg`Рахунок IBAN`],
  ['budgetCode', msg`Код класифікації доходів бюджету`],
  ['purpose', msg`Призначення платежу`],
  ['amount', msg`Сума`],
]

/** The texts of a stored payment, each with its name. */
function textsOf(stored: unknown): readonly (readonly [MessageDescriptor, string])[] {
  if (typeof stored !== 'object' || stored === null || !('values' in stored)) return []
  const { values } = stored
  if (typeof values !== 'object' || values === null) return []
  const texts = new Map<string, unknown>(Object.entries(values))
  return draftFields.flatMap(([name, label]) => {
    const text = texts.get(name)
    return typeof text === 'string' && text.trim() !== '' ? [[label, text] as const] : []
  })
}

function rowsOf(stored: unknown): number {
  return typeof stored === 'object' && stored !== null && 'rows' in stored && Array.isArray(stored.rows)
    ? stored.rows.length
    : 0
}

/** How often it is asked whether the server serves again. */
const ASK_MILLISECONDS = 3_000

/** Goes on once the server serves again. */
function useServerAgain(goOn: () => void): void {
  useEffect(() => {
    const ask = async () => {
      try {
        const { ok } = await fetch('/readyz')
        if (ok) goOn()
      } catch {
        // It is still away.
      }
    }
    const timer = setInterval(() => void ask(), ASK_MILLISECONDS)
    return () => clearInterval(timer)
  }, [goOn])
}

/**
 * What this tab keeps of the notary's work, to be read while the page can't be opened: the payment that is being typed and the last
 * cart. After a logout, and once the session has ended, there is nothing. Meanwhile it is asked whether the server serves again; then `goOn` is
 * called.
 */
export function KeptInTab({ goOn }: { readonly goOn: () => void }) {
  useServerAgain(goOn)
  const notaryId = notaryWithoutServer()
  if (notaryId === null) return null
  const texts = textsOf(keptInTab('draft', notaryId))
  const rows = rowsOf(keptInTab('draft sheet', notaryId))
  const hasDeal = keptInTab('draft deal', notaryId) !== null
  const cart = readLastCart(keptInTab(LAST_CART, notaryId))
  const isNothing = texts.length === 0 && rows === 0 && !hasDeal && (cart?.groups.length ?? 0) === 0
  if (isNothing) return null
  return (
    <div className="mx-auto flex w-full max-w-3xl flex-col gap-6 text-left">
      {(texts.length > 0 || rows > 0 || hasDeal) && (
        <Sheet heading={<Trans>Незавершене</Trans>}>
          <div className="flex flex-col gap-4">
            {texts.length > 0 && <TypedPayment texts={texts} />}
            {hasDeal && (
              <p>
                <Trans>Розрахунок збережено: він відкриється, коли з’явиться зв’язок.</Trans>
              </p>
            )}
            {rows > 0 && (
              <p>
                <Plural
                  value={rows}
                  one="Із таблиці збережено # рядок."
                  few="Із таблиці збережено # рядки."
                  many="Із таблиці збережено # рядків."
                  other="Із таблиці збережено # рядка."
                />
              </p>
            )}
          </div>
        </Sheet>
      )}
      {cart !== null && cart.groups.length > 0 && <CartAsShown cart={cart} />}
    </div>
  )
}

function TypedPayment({ texts }: { readonly texts: ReturnType<typeof textsOf> }) {
  const { i18n } = useLingui()
  return (
    <dl className="grid gap-x-4 gap-y-1 sm:grid-cols-[12rem_minmax(0,1fr)]">
      {texts.map(([label, text]) => {
        const name = i18n._(label)
        return (
          <div key={name} className="contents">
            <dt className="text-ink-soft">{name}</dt>
            <dd className="break-words max-sm:pb-2">{text}</dd>
          </div>
        )
      })}
    </dl>
  )
}

function CartAsShown({ cart: { at, groups } }: { readonly cart: LastCart }) {
  const { i18n } = useLingui()
  const iso = new Date(at).toISOString()
  const moment = `${shortDate(iso)}, ${timeOfDay(iso).slice(0, 5)}`
  return (
    <Sheet heading={<Trans>Кошик станом на {moment}</Trans>}>
      <div className="flex flex-col gap-6">
        {groups.map(({ client, amount, items }) => (
          <section key={client.id} className="flex flex-col gap-2">
            <h3 className="flex flex-wrap justify-between gap-x-4 font-semibold">
              <span className="min-w-0 break-words">{client.full_name}</span>
              <Sum value={fromHryvnias(amount)} />
            </h3>
            <ul className="flex flex-col gap-1">
              {items.map((item) => (
                <li key={item.id} className="flex flex-wrap justify-between gap-x-4">
                  <span className="min-w-0">{item.service ?? i18n._(paymentKindText[item.kind])}</span>
                  <Sum value={fromHryvnias(item.sum_total)} />
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </Sheet>
  )
}
