import { useLingui } from '@lingui/react/macro'
import { Suspense, useRef, useState, type KeyboardEvent } from 'react'

import type { Config } from '@/api/config'
import type { PaymentType } from '@/api/payment-types'
import { isBegun } from '@/forms/draft'
import { AwaitedPart } from '@/ui/awaited-part'

import { AddActions } from './add-actions'
import { replacedDraft } from './draft'
import { AddedNotice, ReplacedNotice, SamePayment, useIsUnreadable, usePreloadedParts } from './later-parts'
import { PaymentFrame } from './payment-frame'
import { useNewPayment, type NewPaymentOptions } from './use-new-payment'

interface PaymentFormProps extends NewPaymentOptions {
  readonly types: readonly PaymentType[]
  readonly config: Config
}

/** The form of a new payment. */
export function PaymentForm(props: PaymentFormProps) {
  const { t } = useLingui()
  usePreloadedParts()
  const sheet = useRef<HTMLFormElement>(null)
  const payment = useNewPayment(props)
  const { form, kind, price, adding } = payment
  const isUnreadable = useIsUnreadable(kind)
  const button = () => sheet.current?.querySelector<HTMLElement>('[type=submit]') ?? null
  const pressKeys = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.defaultPrevented) return
    // A question over the form has the keys.
    if (document.querySelector('dialog[open]') !== null) return
    event.preventDefault()
    if (!event.repeat) payment.pressFor(event.shiftKey ? 'popup' : 'client', button())
  }
  return (
    <PaymentFrame
      ref={sheet}
      aria-label={t`Новий платіж`}
      onKeyDown={pressKeys}
      onSubmit={payment.submit}
      payment={payment}
      options={props}
      usualAccount={props.empty}
      onReplaced={payment.offerReplaced}
      notices={<Notices options={props} payment={payment} />}
      actions={
        <AddActions
          clientCode={form.values.clientCode}
          price={price}
          newPrice={adding.newPrice}
          adding={isUnreadable || form.busy}
          failure={adding.failure}
          onAccept={adding.add}
          onRefuse={() => {
            adding.refuse()
            // The pressed button disappears, so the main one takes the focus.
            button()?.focus()
          }}
          onClear={payment.clear}
        />
      }
    />
  )
}

interface NoticesProps {
  readonly options: PaymentFormProps
  readonly payment: ReturnType<typeof useNewPayment>
}

/** What was replaced or added, and the question about a payment that is there already. */
function Notices({ options, payment }: NoticesProps) {
  const { user } = options
  const { adding, undo } = payment
  const { added } = adding
  const [hasReplaced] = useState(() => options.replaced || isBegun(replacedDraft.name, user.id))
  return (
    <>
      <Suspense>
        {hasReplaced && <ReplacedNotice {...options} {...payment} />}
        {added !== null && (
          <AddedNotice
            added={added}
            takesFocus={added.emptied && added.next === 'notice'}
            onSameClient={() => payment.startSameClient(added.values)}
            isFree={undo.isFree}
            putBack={() => undo.putBack(added.values)}
            onUndone={undo.onUndone}
            newAccount={user.iban === '' && added.values.ownIban !== '' ? added.values : null}
            user={user}
          />
        )}
      </Suspense>
      {adding.duplicate && (
        <Suspense fallback={<AwaitedPart />}>
          <SamePayment both={adding.duplicate} onAdd={adding.addTwice} onClose={adding.refuse} />
        </Suspense>
      )}
    </>
  )
}
