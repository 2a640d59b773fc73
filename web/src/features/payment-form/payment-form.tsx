import { useLingui } from '@lingui/react/macro'
import { Suspense, useRef, useState } from 'react'

import type { Config } from '@/api/config'
import type { PaymentType } from '@/api/payment-types'
import { isBegun } from '@/forms/draft'
import { messageText } from '@/i18n/message-texts'
import { AwaitedPart } from '@/ui/awaited-part'
import { ErrorSummary } from '@/ui/error-summary'

import { AddActions } from './add-actions'
import { replacedDraft } from './draft'
import {
  AddedNotice,
  ReplacedNotice,
  SamePayment,
  FeeYear,
  useIsUnreadable,
  usePreloadedParts,
} from './later-parts'
import { feeYearOf } from './lists'
import { PaymentSheets } from './payment-sheets'
import { TotalPanel } from './total-panel'
import { useNewPayment, type NewPaymentOptions } from './use-new-payment'

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
  const feeYear = feeYearOf(form.values, lists)
  return (
    <form
      ref={sheet}
      noValidate
      onSubmit={actions.submit}
      aria-label={t`Новий платіж`}
      className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 xl:grid-cols-[minmax(0,1fr)_21rem]"
    >
      <div className="flex flex-col gap-6">
        <Suspense>
          {hasReplaced && <ReplacedNotice {...props} {...actions} form={form} />}
          {added !== null && (
            <AddedNotice
              added={added}
              takesFocus={added.emptied}
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
        <PaymentSheets
          form={form}
          kind={kind}
          types={types}
          lists={lists}
          template={template}
          asked={actions.asked}
          onAnswered={actions.answered}
          notaryCode={user.inn}
          account={props.empty}
          onReplaced={actions.offerReplaced}
        />
      </div>
      <div className="flex flex-col gap-4 xl:sticky xl:below-frame">
        <TotalPanel
          price={price}
          config={config}
          notice={
            feeYear && (
              <Suspense>
                <FeeYear {...feeYear} />
              </Suspense>
            )
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
                sheet.current?.querySelector<HTMLElement>('[type=submit]')?.focus()
              }}
              onClear={actions.clear}
            />
          }
        />
      </div>
    </form>
  )
}
