import { useLingui } from '@lingui/react/macro'
import { useRef, type FormEvent } from 'react'

import { forgetDraft } from '@/forms/draft'
import { messageText } from '@/i18n/message-texts'
import { ErrorSummary } from '@/ui/error-summary'
import { showToast } from '@/ui/toast'

import { useIsUnreadable } from '../later-parts'
import { ProfileAccount, useOwnAccount } from '../own-account'
import { PaymentSheet } from '../payment-sheet'
import { TotalPanel } from '../total-panel'
import { NoticesOfYear } from '../year-notices'
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
  const { itemId, inCart, draftKey, types, user, config, count } = props
  const { t } = useLingui()
  const sheet = useRef<HTMLFormElement>(null)
  const { form, kind, lists, template, price, asked, answered, save, ...editing } = useItemForm(props)
  const { values } = form
  const isUnreadable = useIsUnreadable(kind)
  const account = useOwnAccount(form, kind, accountOf(inCart))

  // The pressed button of a notice disappears, so the main one takes the focus.
  const focusSave = () => sheet.current?.querySelector<HTMLElement>('[type=submit]')?.focus()

  return (
    <form
      ref={sheet}
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        save()
      }}
      aria-label={t`Зміна платежу`}
      className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 xl:gap-4 xl:grid-cols-[minmax(0,1fr)_23rem]"
    >
      <div className="flex flex-col gap-6">
        <EditNotices
          {...props}
          conflict={editing.conflict}
          typed={values}
          onReset={editing.reset}
          onOverwrite={() => {
            focusSave()
            save(true)
          }}
        />
        <ErrorSummary
          errors={[
            ...(form.attempt > 0 ? form.summary : []),
            ...form.rest.map((key) => ({ message: messageText(key) })),
          ]}
          attempt={form.attempt}
        />
        {/* A correction made now would not be in what is saved. */}
        <fieldset role="presentation" disabled={form.busy} className="contents">
          <PaymentSheet
            form={form}
            kind={kind}
            types={types}
            lists={lists}
            template={template}
            asked={asked}
            onAnswered={answered}
            notaryCode={user.inn}
            account={account}
            onReplaced={(earlier) =>
              showToast({
                text: t`Шаблон замінив введені дані`,
                action: { label: t`Повернути`, onSelect: () => form.reset(earlier) },
              })
            }
          />
        </fieldset>
      </div>
      <div className="flex flex-col gap-4 xl:sticky xl:below-frame">
        <TotalPanel
          price={price}
          config={config}
          notice={
            <>
              {count > 1 && <CountNote count={count} price={price} />}
              <NoticesOfYear kind={kind} values={values} lists={lists} config={config} />
            </>
          }
          account={
            account.shown === 'panel' && <ProfileAccount account={form.values} onOpen={account.open} />
          }
          actions={
            <EditActions
              itemId={itemId}
              clientCode={values.clientCode}
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
      </div>
    </form>
  )
}
