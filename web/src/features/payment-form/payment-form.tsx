import { useLingui } from '@lingui/react/macro'
import { Suspense, useEffect, useRef, type FormEvent } from 'react'

import type { Config } from '@/api/config'
import type { PaymentType } from '@/api/payment-types'
import type { User } from '@/api/user'
import { forgetDraft } from '@/forms/draft'
import { messageText } from '@/i18n/message-texts'
import { later } from '@/lib/later'
import { paymentKindText } from '@/lib/payment-kind'
import { whenIdle } from '@/lib/when-idle'
import { ErrorSummary } from '@/ui/error-summary'
import { Select } from '@/ui/select'
import { Sheet } from '@/ui/sheet'
import { Loading } from '@/ui/spinner'

import { AddActions } from './add-actions'
import type { AddWish } from './add-intent'
import { AddedNotice } from './added-notice'
import type { Opening } from './arrival'
import { ClientFields } from './client-fields'
import { paymentDraft, wayBack } from './draft'
import { FeeFields, OwnAccountFields } from './fee-fields'
import { kindHints } from './field-texts'
import { usePaymentLists } from './lists'
import { withClient } from './template'
import { TotalPanel } from './total-panel'
import { useAdding } from './use-adding'
import { useGivenBack } from './use-given-back'
import { useProfileAccount, usePurposeOfClient } from './use-late-values'
import { usePrice } from './use-price'
import { useUndo } from './use-undo'
import { hasListedRecipient, isWorthKeeping, withPaymentType, type PaymentValues } from './values'

// Most payments are fees. The fields of the other kind are loaded when the browser is idle, or when they are shown.
const loadRequisitesFields = async () => (await import('./requisites-fields')).RequisitesFields
const RequisitesFields = later(loadRequisitesFields)

interface PaymentFormProps extends Opening {
  /** The intent of the draft, whose request had no answer. */
  readonly waiting: AddWish | null
  readonly types: readonly PaymentType[]
  readonly user: User
  readonly config: Config
  /** Called when the form no longer holds what it was opened with. */
  readonly onEmptied: () => void
}

/** The form of a new payment. */
export function PaymentForm(props: PaymentFormProps) {
  const { empty, types, user, config, onEmptied } = props
  const { t, i18n } = useLingui()
  const sheet = useRef<HTMLFormElement>(null)
  const { form, kind, added, setAdded, newPrice, refuseNewPrice, add } = useAdding(props)
  const { values } = form
  const lists = usePaymentLists(kind, values)
  const template = lists.templates.entries.find(({ id }) => id === values.templateId)
  const price = usePrice(kind, values, lists, config)
  useProfileAccount(form, empty)
  usePurposeOfClient(form, props.purposeFor, template)
  const offerBack = useGivenBack({
    notaryId: user.id,
    filledIn: empty,
    replaced: props.replaced,
    put: (earlier) => {
      form.reset(earlier)
      onEmptied()
    },
  })
  const undo = useUndo({
    isFree: !isWorthKeeping(values),
    onUndone: (itemId) => setAdded((current) => (current?.itemId === itemId ? null : current)),
  })

  useEffect(() => whenIdle(() => void loadRequisitesFields().catch(() => undefined)), [])

  function submit(event: FormEvent) {
    event.preventDefault()
    setAdded(null)
    undo.reset()
    add(price)
  }

  function clear() {
    form.reset(empty)
    onEmptied()
    refuseNewPrice()
    forgetDraft(paymentDraft)
    offerBack(t`Форму очищено`, values)
  }

  function sameClient({ clientName, clientCode, legalEntity }: PaymentValues) {
    form.change((current) => ({
      ...withClient(current, { clientName, clientCode }, template),
      legalEntity,
    }))
    setAdded(null)
    form.focus('paymentTypeId')
  }

  return (
    <form
      ref={sheet}
      noValidate
      onSubmit={submit}
      aria-label={t`Новий платіж`}
      className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 xl:grid-cols-[minmax(0,1fr)_21rem]"
    >
      <div className="flex flex-col gap-6">
        {added !== null && (
          <AddedNotice
            added={added}
            takesFocus={added.emptied}
            onSameClient={() => sameClient(added.values)}
            onUndo={() =>
              undo.mutate({ itemId: added.itemId, putBack: wayBack(user.id, added.values, empty) })
            }
            undoing={undo.isPending}
            undoFailure={undo.error}
          />
        )}
        <ErrorSummary
          errors={[
            ...(form.attempt > 0 ? form.summary : []),
            ...form.rest.map((key) => ({ message: messageText(key) })),
          ]}
          attempt={form.attempt}
        />
        <Sheet heading={t`Клієнт`}>
          <ClientFields form={form} template={template} />
        </Sheet>
        <Sheet heading={t`Платіж`}>
          <div className="flex flex-col gap-5">
            <Select
              {...form.text('paymentTypeId')}
              label={t`Вид платежу`}
              hint={kind !== null && i18n._(kindHints[kind])}
              options={types.map(({ id, slug }) => ({ value: id, label: i18n._(paymentKindText[slug]) }))}
              {...(values.paymentTypeId === '' && { placeholder: t`Виберіть…` })}
              onValueChange={(id) => form.change((current) => withPaymentType(current, id))}
            />
            {kind !== null && hasListedRecipient(kind) && <FeeFields form={form} kind={kind} lists={lists} />}
            {kind === 'requisites_payment' && (
              <Suspense fallback={<Loading />}>
                <RequisitesFields
                  form={form}
                  templates={lists.templates}
                  notaryCode={user.inn}
                  onReplaced={(earlier) => offerBack(t`Шаблон замінив введені дані`, earlier)}
                />
              </Suspense>
            )}
          </div>
        </Sheet>
        {kind === 'admin_payment' && (
          <Sheet heading={t`Ваш рахунок для 60 %`}>
            <OwnAccountFields form={form} />
          </Sheet>
        )}
      </div>
      <div className="flex flex-col gap-4 xl:sticky xl:top-24">
        <TotalPanel
          price={price}
          config={config}
          actions={
            <AddActions
              clientCode={values.clientCode}
              price={price}
              newPrice={newPrice}
              adding={form.busy}
              failure={form.failure}
              onAccept={add}
              onRefuse={() => {
                refuseNewPrice()
                // The pressed button disappears, so the main one takes the focus.
                sheet.current?.querySelector<HTMLElement>('[type=submit]')?.focus()
              }}
              onClear={clear}
            />
          }
        />
      </div>
    </form>
  )
}
