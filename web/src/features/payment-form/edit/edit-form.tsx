import { useLingui } from '@lingui/react/macro'
import { useRef } from 'react'

import { forgetDraft } from '@/forms/draft'
import { showToast } from '@/ui/toast'

import { useIsUnreadable } from '../later-parts'
import { PaymentFrame } from '../payment-frame'
import { CountNote } from './count-note'
import { EditActions } from './edit-actions'
import { EditNotices } from './edit-notices'
import { useItemForm, type ItemFormOptions } from './use-item-form'
import { accountOf } from './values-of-item'

interface EditFormProps extends ItemFormOptions {
  /** How many units of the payment are in the cart. */
  readonly count: number
  readonly changed: 'choices' | 'price' | null
  /** The item is being read again. */
  readonly reopening: boolean
  /** Why the item could not be read again. */
  readonly reopenFailure: Error | null
  /** Reads the item again and begins anew with it. */
  readonly onReopen: () => void
}

/** The form of an item of the cart. */
export function EditForm(props: EditFormProps) {
  const { itemId, inCart, draftKey, count } = props
  const { t } = useLingui()
  const sheet = useRef<HTMLFormElement>(null)
  const { save, ...editing } = useItemForm(props)
  const { form, kind, price } = editing
  const isUnreadable = useIsUnreadable(kind)
  // The pressed button of a notice disappears, so the main one takes the focus.
  const focusSave = () => sheet.current?.querySelector<HTMLElement>('[type=submit]')?.focus()
  return (
    <PaymentFrame
      ref={sheet}
      aria-label={t`Зміна платежу`}
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
      payment={editing}
      options={props}
      usualAccount={accountOf(inCart)}
      onReplaced={(earlier) =>
        showToast({
          text: t`Шаблон замінив введені дані`,
          action: { label: t`Повернути`, onSelect: () => form.reset(earlier) },
        })
      }
      notices={
        <EditNotices
          {...props}
          conflict={editing.conflict}
          typed={form.values}
          onReset={editing.reset}
          onOverwrite={() => {
            focusSave()
            save(true)
          }}
        />
      }
      held={form.busy}
      countNote={count > 1 && <CountNote count={count} price={price} />}
      actions={
        <EditActions
          itemId={itemId}
          clientCode={form.values.clientCode}
          price={price}
          newPrice={editing.newPrice}
          saving={isUnreadable || form.busy}
          failure={form.failure}
          onAccept={(accepted) => editing.saveAt(accepted)}
          onRefuse={() => {
            editing.refuseNewPrice()
            focusSave()
          }}
          onLeave={() => forgetDraft(draftKey)}
        />
      }
    />
  )
}
