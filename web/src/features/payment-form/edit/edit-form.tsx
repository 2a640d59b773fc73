import { useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useRef, useState, type FormEvent } from 'react'

import type { Config } from '@/api/config'
import { forgetDraft } from '@/forms/draft'
import { messageText } from '@/i18n/message-texts'
import { ErrorSummary } from '@/ui/error-summary'
import { showToast } from '@/ui/toast'

import { lateQuestion, StaleFee, usePreloadedParts } from '../later-parts'
import { staleFeeOf, usePaymentLists } from '../lists'
import { PaymentSheets } from '../payment-sheets'
import { TotalPanel } from '../total-panel'
import { usePrice } from '../use-price'
import { CountNote } from './count-note'
import { EditActions } from './edit-actions'
import { EditNotices } from './edit-notices'
import { useEditing, type EditingOptions } from './use-editing'
import { accountOf } from './values-of-item'

interface EditFormProps extends EditingOptions {
  readonly config: Config
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
  const queryClient = useQueryClient()
  const sheet = useRef<HTMLFormElement>(null)
  // How often saving was stopped by a question about the client.
  const [asked, setAsked] = useState(0)
  const { form, kind, conflict, ...editing } = useEditing(props)
  const { values } = form
  usePreloadedParts()
  const lists = usePaymentLists(kind, values)
  const template = lists.templates.entries.find(({ id }) => id === values.templateId)
  const price = usePrice(kind, values, lists, config)
  const stale = staleFeeOf(values, lists)

  function save(overwrites = false) {
    if (lateQuestion()?.(queryClient, values)) setAsked(asked + 1)
    else editing.save(price, overwrites)
  }

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
      className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 xl:grid-cols-[minmax(0,1fr)_21rem]"
    >
      <div className="flex flex-col gap-6">
        <EditNotices
          {...props}
          conflict={conflict}
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
        <PaymentSheets
          form={form}
          kind={kind}
          types={types}
          lists={lists}
          template={template}
          asked={asked}
          notaryCode={user.inn}
          account={accountOf(inCart)}
          onReplaced={(earlier) =>
            showToast({
              text: t`Шаблон замінив введені дані`,
              action: { label: t`Повернути`, onSelect: () => form.reset(earlier) },
            })
          }
        />
      </div>
      <div className="flex flex-col gap-4 xl:sticky xl:top-24">
        <TotalPanel
          price={price}
          config={config}
          notice={
            <>
              {count > 1 && <CountNote count={count} price={price} />}
              {stale && (
                <Suspense>
                  <StaleFee stale={stale} />
                </Suspense>
              )}
            </>
          }
          actions={
            <EditActions
              itemId={itemId}
              clientCode={values.clientCode}
              price={price}
              newPrice={editing.newPrice}
              saving={form.busy}
              failure={form.failure}
              onAccept={(accepted) => editing.save(accepted)}
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
