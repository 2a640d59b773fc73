import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef, useState, type FormEvent } from 'react'

import { addToCart, cartQuery, deleteCartItem, lastClientQuery, type AddToCartRequest } from '@/api/cart'
import { cartCountQuery } from '@/api/cart-count'
import type { Config } from '@/api/config'
import { Refusal } from '@/api/failure'
import type { PaymentType } from '@/api/payment-types'
import { userQuery, type User } from '@/api/user'
import { failureText, messageText } from '@/i18n/message-texts'
import { isSameDigits } from '@/lib/client-code'
import { priceOf, type PaymentKind } from '@/lib/commission'
import { paymentKindText } from '@/lib/payment-kind'
import { tariffOn } from '@/lib/tariff'
import { useOnline } from '@/lib/use-online'
import { Button } from '@/ui/button'
import { ErrorSummary, type SummaryError } from '@/ui/error-summary'
import { Notice } from '@/ui/notice'
import { Select } from '@/ui/select'
import { Sheet } from '@/ui/sheet'
import { showToast } from '@/ui/toast'

import { addWishOf, type AddWish } from './add-intent'
import { AddedNotice, type Added } from './added-notice'
import { amountOf, haveSamePrice } from './amount'
import type { Opening } from './arrival'
import { ClientFields } from './client-fields'
import { forgetDraft, useKeptDraft, useStandingForm, wayBack } from './draft'
import { FeeFields, OwnAccountFields } from './fee-fields'
import { errorText, fieldId, kindHints, summaryOf } from './field-texts'
import { usePaymentFormState } from './form-state'
import { usePaymentLists } from './lists'
import { PriceChanged, readPrice, type NewPrice } from './price-changed'
import { placeRefusal } from './refused-fields'
import { cartAddRequest, clientOf, type ShownPrice } from './request'
import { RequisitesFields } from './requisites-fields'
import { paymentErrors } from './rules'
import { withClient } from './template'
import { TotalPanel } from './total-panel'
import { useToday } from './use-today'
import {
  hasListedRecipient,
  isSame,
  isWorthKeeping,
  withFilledAccount,
  withPaymentType,
  type OwnAccount,
  type PaymentClient,
  type PaymentValues,
} from './values'

interface PaymentFormProps extends Opening {
  /** What was asked to be added before the page was loaded anew, and not answered. */
  readonly waiting: AddWish | null
  readonly types: readonly PaymentType[]
  readonly user: User
  readonly config: Config
  /** What the form was opened with has left it. */
  readonly onEmptied: () => void
}

interface Attempt {
  readonly values: PaymentValues
  readonly kind: PaymentKind
  readonly price: ShownPrice | null
  readonly body: AddToCartRequest
  readonly key: string
}

interface AddedPayment extends Added {
  readonly values: PaymentValues
  /** Nothing was typed while it was being added, so that the form is empty again. */
  readonly emptied: boolean
}

interface Undoing {
  readonly itemId: string
  readonly putBack: ReturnType<typeof wayBack>
}

function namesOf({ clientName, clientCode }: PaymentClient): PaymentClient {
  return { clientName, clientCode }
}

/** The form of a new payment: who, for what, to whom, how much; into the cart. */
export function PaymentForm({
  initial,
  empty,
  purposeFor,
  replaced,
  waiting,
  types,
  user,
  config,
  onEmptied,
}: PaymentFormProps) {
  const { t, i18n } = useLingui()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const kindOf = (values: PaymentValues) => types.find(({ id }) => id === values.paymentTypeId)?.slug ?? null
  const form = usePaymentFormState(initial, (values) =>
    paymentErrors(values, { kind: kindOf(values), notaryCode: user.inn }),
  )
  const { values, errors } = form
  const kind = kindOf(values)
  const lists = usePaymentLists(kind, values)
  const template = lists.templates.entries.find(({ id }) => id === values.templateId)
  const [wish, setWish] = useState(waiting)
  useKeptDraft(user.id, values, empty, wish)

  // An account that only came from the profile follows it: 60 % of the fee goes there. One that was typed stays.
  const [filledIn, setFilledIn] = useState<OwnAccount>(empty)
  if (filledIn.ownIban !== empty.ownIban || filledIn.ownOkpo !== empty.ownOkpo) {
    setFilledIn(empty)
    form.change((current) => withFilledAccount(current, filledIn, empty))
  }

  // Until the template is there, a purpose that was filled from it can't follow the client.
  const [behind, setBehind] = useState<PaymentClient | null>(purposeFor)
  if (template !== undefined && behind !== null) {
    setBehind(null)
    form.change((current) => {
      const { clientName, clientCode } = current
      return withClient({ ...current, ...namesOf(behind) }, { clientName, clientCode }, template)
    })
  }

  useStandingForm(user.id, (earlier) => {
    form.reset(earlier)
    onEmptied()
  })
  /** Tells what has left the form, and gives it back on demand: also to whoever has gone to another page meanwhile. */
  function offerBack(text: string, earlier: PaymentValues) {
    const putBack = wayBack(user.id, earlier, empty)
    const onSelect = () => {
      if (putBack() === 'kept') void navigate({ to: '/' })
    }
    showToast({ text, action: { label: t`Повернути`, onSelect } })
  }

  const tellReplaced = useEffectEvent(() => {
    if (replaced !== null) offerBack(t`Раніше введені дані замінено`, replaced)
  })
  useEffect(() => tellReplaced(), [])

  const today = useToday()
  const online = useOnline()
  const amount =
    kind === null
      ? null
      : amountOf(kind, values, { options: lists.options.entries, terms: lists.terms.entries })
  const read = kind === null || amount === null ? null : priceOf(kind, amount, tariffOn(config, today))
  const price = read?.ok === true ? read.value : null

  const sheet = useRef<HTMLFormElement>(null)
  const [added, setAdded] = useState<AddedPayment | null>(null)
  const [changed, setChanged] = useState<{ readonly price: NewPrice; readonly of: PaymentValues } | null>(
    null,
  )
  // The server's price is that of what was sent: for another sum it must not be accepted.
  const newPrice = changed !== null && haveSamePrice(changed.of, values) ? changed.price : null
  const [refusedLines, setRefusedLines] = useState<readonly SummaryError[]>([])
  const [refusals, setRefusals] = useState(0)

  const add = useMutation({
    mutationFn: ({ body, key }: Attempt) => addToCart(body, key),
    onSuccess: ({ item_id: itemId, items_count: count }, attempt) => {
      setWish(null)
      undo.reset()
      const client = clientOf(attempt.values)
      // What was typed while the answer was on its way is not in the cart.
      const emptied = isSame(values, attempt.values)
      setAdded({
        itemId,
        clientName: client.full_name,
        sum: attempt.price?.sum ?? null,
        values: attempt.values,
        emptied,
      })
      if (emptied) {
        const { ownIban, ownOkpo } = attempt.values
        // The account of the profile again; where it has none, the one that was just typed, which nobody else keeps.
        form.reset(user.iban === '' ? { ...empty, ownIban, ownOkpo } : empty)
        onEmptied()
        forgetDraft()
      }
      queryClient.setQueryData(cartCountQuery().queryKey, count)
      queryClient.setQueryData(lastClientQuery().queryKey, client)
      void queryClient.invalidateQueries({ queryKey: cartQuery().queryKey })
      // Another device may have changed the profile meanwhile, and with it the account that the next payment begins with.
      void queryClient.invalidateQueries({ queryKey: userQuery().queryKey })
    },
    onError: (failure, attempt) => {
      if (!(failure instanceof Refusal)) return
      const { price: right } = failure.extra
      if (failure.key === 'price_changed' && right && haveSamePrice(attempt.values, values)) {
        setChanged({ price: readPrice(right), of: attempt.values })
        return
      }
      const { fields, rest } = placeRefusal(failure, attempt.kind)
      form.refuse(fields)
      setRefusedLines(rest.map((key) => ({ message: messageText(key, i18n) })))
      setRefusals((count) => count + 1)
    },
  })

  const undo = useMutation({
    mutationFn: ({ itemId }: Undoing) => deleteCartItem(itemId),
    onSuccess: ({ items_count: count }, { itemId, putBack }) => {
      setAdded((current) => (current?.itemId === itemId ? null : current))
      // The next payment may have been begun meanwhile.
      const free = !isWorthKeeping(values)
      if (free && putBack() === 'shown') {
        // The pressed button goes with its notice.
        document.querySelector<HTMLElement>('[data-page-heading]')?.focus()
      }
      queryClient.setQueryData(cartCountQuery().queryKey, count)
      void queryClient.invalidateQueries({ queryKey: cartQuery().queryKey })
      showToast({
        text: free ? t`Платіж видалено з кошика, дані повернено до форми` : t`Платіж видалено з кошика`,
      })
    },
  })

  function send(shown: ShownPrice | null) {
    if (kind === null || add.isPending) return
    setChanged(null)
    setRefusedLines([])
    const body = cartAddRequest(kind, values, shown)
    const asked = addWishOf(body, wish)
    setWish(asked)
    add.mutate({ kind, values, price: shown, body, key: asked.key })
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    setAdded(null)
    if (form.validate()) send(price)
  }

  function reset() {
    const before = values
    form.reset(empty)
    onEmptied()
    add.reset()
    setChanged(null)
    setRefusedLines([])
    forgetDraft()
    offerBack(t`Форму очищено`, before)
  }

  function sameClient(previous: PaymentValues) {
    const { legalEntity } = previous
    form.change((current) => ({ ...withClient(current, namesOf(previous), template), legalEntity }))
    setAdded(null)
    document.querySelector<HTMLElement>(`#${fieldId('paymentTypeId')}`)?.focus()
  }

  const disabledReason = isSameDigits(values.clientCode)
    ? messageText('client_inn_same_digits', i18n)
    : online
      ? null
      : t`Немає зв’язку з інтернетом`
  const unplaced = add.error !== null && !(add.error instanceof Refusal) ? add.error : null

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
          errors={[...(form.attempt > 0 ? summaryOf(errors, values) : []), ...refusedLines]}
          attempt={form.attempt + refusals}
        />
        <Sheet heading={t`Клієнт`}>
          <ClientFields form={form} template={template} />
        </Sheet>
        <Sheet heading={t`Платіж`}>
          <div className="flex flex-col gap-5">
            <Select
              id={fieldId('paymentTypeId')}
              label={t`Вид платежу`}
              hint={kind !== null && i18n._(kindHints[kind])}
              options={types.map(({ id, slug }) => ({ value: id, label: i18n._(paymentKindText[slug]) }))}
              {...(values.paymentTypeId === '' && { placeholder: t`Виберіть…` })}
              value={values.paymentTypeId}
              onChange={({ target }) => form.change((current) => withPaymentType(current, target.value))}
              error={errorText(errors, 'paymentTypeId')}
            />
            {kind !== null && hasListedRecipient(kind) && <FeeFields form={form} kind={kind} lists={lists} />}
            {kind === 'requisites_payment' && (
              <RequisitesFields
                form={form}
                templates={lists.templates}
                notaryCode={user.inn}
                onReplaced={(earlier) => offerBack(t`Шаблон замінив введені дані`, earlier)}
              />
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
            <div className="flex flex-col gap-3">
              {newPrice !== null && (
                <PriceChanged
                  shown={price}
                  price={newPrice}
                  adding={add.isPending}
                  onAccept={() => send(newPrice)}
                  onRefuse={() => {
                    setChanged(null)
                    // The pressed button goes with the offer.
                    sheet.current?.querySelector<HTMLElement>('[type=submit]')?.focus()
                  }}
                />
              )}
              {unplaced !== null && (
                <Notice tone="error" title={<Trans>Сервер не підтвердив додавання</Trans>}>
                  <p>{failureText(unplaced, i18n)}</p>
                  <p>
                    <Trans>
                      Введені дані збережено. Додайте ще раз: двічі цей платіж до кошика не потрапить.
                    </Trans>
                  </p>
                </Notice>
              )}
              <Button
                type="submit"
                variant={newPrice === null ? 'primary' : 'quiet'}
                icon="cart"
                wide
                loading={add.isPending}
                disabledReason={disabledReason}
              >
                <Trans>Додати до кошика</Trans>
              </Button>
              <Button wide onClick={reset}>
                <Trans>Очистити форму</Trans>
              </Button>
            </div>
          }
        />
      </div>
    </form>
  )
}
