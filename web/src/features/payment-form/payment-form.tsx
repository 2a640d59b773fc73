import { useLingui } from '@lingui/react/macro'
import { Suspense, useRef, useState, type KeyboardEvent } from 'react'

import type { Config } from '@/api/config'
import type { PaymentType } from '@/api/payment-types'
import { isBegun } from '@/forms/draft'
import { messageText } from '@/i18n/message-texts'
import { AwaitedPart } from '@/ui/awaited-part'
import { ErrorSummary } from '@/ui/error-summary'

import { AddActions } from './add-actions'
import { replacedDraft } from './draft'
import { AddedNotice, ReplacedNotice, SamePayment, useIsUnreadable, usePreloadedParts } from './later-parts'
import { ProfileAccount, useOwnAccount } from './own-account'
import { PaymentSheet } from './payment-sheet'
import { TotalPanel } from './total-panel'
import { useNewPayment, type NewPaymentOptions } from './use-new-payment'
import { NoticesOfYear } from './year-notices'

interface PaymentFormProps extends NewPaymentOptions {
  readonly types: readonly PaymentType[]
  readonly config: Config
}

/** The form of a new payment. */
export function PaymentForm(props: PaymentFormProps) {
  const { types, user, config } = props
  const { t } = useLingui()
  usePreloadedParts()
  const [hasReplaced] = useState(() => props.replaced || isBegun(replacedDraft.name, user.id))
  const sheet = useRef<HTMLFormElement>(null)
  const { form, kind, lists, template, price, adding, ...actions } = useNewPayment(props)
  const { added } = adding
  const isUnreadable = useIsUnreadable(kind)
  const account = useOwnAccount(form, kind, props.empty)
  const button = () => sheet.current?.querySelector<HTMLElement>('[type=submit]') ?? null
  const pressKeys = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.defaultPrevented) return
    // A question over the form has the keys.
    if (document.querySelector('dialog[open]') !== null) return
    event.preventDefault()
    if (!event.repeat) actions.pressFor(event.shiftKey ? 'popup' : 'client', button())
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <form
      ref={sheet}
      onKeyDown={pressKeys}
      noValidate
      onSubmit={actions.submit}
      aria-label={t`Новий платіж`}
      className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 xl:gap-4 xl:grid-cols-[minmax(0,1fr)_23rem]"
    >
      <div className="flex flex-col gap-6">
        <Suspense>
          {hasReplaced && <ReplacedNotice {...props} {...actions} form={form} />}
          {added !== null && (
            <AddedNotice
              added={added}
              takesFocus={added.emptied && added.next === 'notice'}
              onSameClient={() => actions.startSameClient(added.values)}
              isFree={actions.undo.isFree}
              putBack={() => actions.undo.putBack(added.values)}
              onUndone={actions.undo.onUndone}
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
        <ErrorSummary
          errors={[
            ...(form.attempt > 0 ? form.summary : []),
            ...form.rest.map((key) => ({ message: messageText(key) })),
          ]}
          attempt={form.attempt}
        />
        <PaymentSheet
          form={form}
          kind={kind}
          types={types}
          lists={lists}
          template={template}
          asked={actions.asked}
          onAnswered={actions.answered}
          notaryCode={user.inn}
          account={account}
          onReplaced={actions.offerReplaced}
        />
      </div>
      <div className="flex flex-col gap-4 xl:sticky xl:below-frame">
        <TotalPanel
          price={price}
          config={config}
          notice={<NoticesOfYear kind={kind} values={form.values} lists={lists} config={config} />}
          account={
            account.shown === 'panel' && <ProfileAccount account={form.values} onOpen={account.open} />
          }
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
              onClear={actions.clear}
            />
          }
        />
      </div>
    </form>
  )
}
