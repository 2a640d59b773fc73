import { Trans, useLingui } from '@lingui/react/macro'
import { useRef, useState } from 'react'

import { Refusal, type MessageKey } from '@/api/failure'
import { takesCodes } from '@/api/payment-state'
import { useCodesPayment } from '@/api/use-codes-payment'
import { Failed } from '@/forms/failed'
import { failureText, messageText } from '@/i18n/message-texts'
import { civilDate, longMoment } from '@/lib/dates'
import { fromHryvnias } from '@/lib/money'
import type { FiledOrder } from '@/lib/order-file'
import { useLocale } from '@/lib/use-locale'
import { Button } from '@/ui/button'
import { DescriptionList } from '@/ui/description-list'
import { announce } from '@/ui/live-region'
import { Notice } from '@/ui/notice'
import { Sum } from '@/ui/sum'
import { TextField } from '@/ui/text-field'
import { showToast } from '@/ui/toasts'
import { useFocusAfter } from '@/ui/use-focus-after'

import { Disclosure } from './disclosure'

/** The longest reference of a payer's receipt. */
const REFERENCE_CHARS_MAX = 100

/** The notary's mark that an order was paid by QR codes: the way to make it, and what it says. */
export function CodesPaymentPart({ order }: { readonly order: FiledOrder }) {
  const { t, i18n } = useLingui()
  const { mark, undo, undoCredit } = useCodesPayment(order.id)
  const [reference, setReference] = useState('')
  const part = useRef<HTMLDivElement>(null)
  const { codes_payment: payment } = order
  const isMarked = payment !== null
  useFocusAfter(mark.isSuccess && isMarked, part)
  useFocusAfter(undo.isSuccess && !isMarked, part)
  useFocusAfter(undoCredit.isSuccess && payment?.credits.length === 0, part)

  async function takeBack() {
    try {
      await undo.mutateAsync()
      announce(t`Позначку скасовано`)
    } catch (failure) {
      // Pressed in the toast, after this part with its message had gone.
      if (part.current !== null) return
      const reason = failureText(failure, i18n)
      showToast({ tone: 'error', text: t`Позначку не скасовано. ${reason}`, lasts: 8000 })
    }
  }

  if (isMarked) {
    return (
      <div ref={part} tabIndex={-1} className="border-t border-rule pt-3 pb-2">
        <Marked
          order={order}
          failure={undo.error ?? undoCredit.error}
          undoing={undo.isPending}
          onUndo={() => void takeBack()}
          undoCredit={undoCredit}
        />
      </div>
    )
  }
  if (order.codes_given_at === null || !(takesCodes(order) || order.status === 'refunded')) return null
  const press = () => {
    if (mark.isPending) return
    mark.mutate(reference, {
      onSuccess: () => {
        setReference('')
        showToast({
          text: t`Позначено: сплачено за QR-кодами`,
          action: { label: t`Скасувати позначку`, onSelect: () => void takeBack() },
        })
      },
    })
  }
  return (
    <div ref={part} tabIndex={-1}>
      <MarkForm {...{ reference, setReference, press, mark }} />
    </div>
  )
}

interface MarkFormProps {
  readonly reference: string
  readonly setReference: (text: string) => void
  readonly press: () => void
  readonly mark: ReturnType<typeof useCodesPayment>['mark']
}

/** What the mark means, the reference of the payer's receipt, and the button. */
function MarkForm({ reference, setReference, press, mark }: MarkFormProps) {
  const { t, i18n } = useLingui()
  const { error } = mark
  const key = error instanceof Refusal ? error.errors['reference']?.[0] : undefined
  return (
    <Disclosure title={<Trans>Позначити сплату за QR-кодами</Trans>} held={error !== null}>
      <p>
        <Trans>
          Позначте, коли платник показав вам квитанцію свого банку. Замовлення стане сплаченим, а карткою його
          вже не можна буде оплатити. Надходження коштів сервіс не перевіряє.
        </Trans>
      </p>
      <TextField
        label={t`UETR або референс із квитанції платника`}
        hint={t`Стоятиме у квитанції та у відомостях для справ`}
        optional
        autoComplete="off"
        maxLength={REFERENCE_CHARS_MAX}
        value={reference}
        onValueChange={setReference}
        error={key && messageText(key as MessageKey, i18n)}
      />
      {key === undefined && <Failed failure={error} title={<Trans>Не позначено</Trans>} />}
      <div>
        <Button icon="check" loading={mark.isPending} onClick={press}>
          <Trans>Сплачено за QR-кодами</Trans>
        </Button>
      </div>
    </Disclosure>
  )
}

interface MarkedProps {
  readonly order: FiledOrder
  /** Why the mark or the crediting was not taken back. */
  readonly failure: Error | null
  readonly undoing: boolean
  readonly onUndo: () => void
  readonly undoCredit: ReturnType<typeof useCodesPayment>['undoCredit']
}

/** What is marked, and the way back. */
function Marked({ order, failure, undoing, onUndo, undoCredit }: MarkedProps) {
  const { t, i18n } = useLingui()
  const payment = order.codes_payment
  if (payment === null) return null
  const isByCodes = order.paid_by === 'codes'
  return (
    <Notice
      tone={isByCodes ? 'info' : 'warn'}
      title={
        isByCodes ? (
          <Trans>Сплачено за QR-кодами, без комісії</Trans>
        ) : (
          <Trans>Позначено як сплачене за QR-кодами, але є й платіж карткою</Trans>
        )
      }
    >
      {!isByCodes && (
        <p>
          <Trans>
            Можливо, сплачено двічі. Кошти з картки чекають: служба підтримки запитає вас, чи сплачено за
            кодами, і надішле їх отримувачам або поверне на картку.
          </Trans>
        </p>
      )}
      <MarkedFacts payment={payment} />
      {failure !== null && <p className="text-danger">{failureText(failure, i18n)}</p>}
      <div className="flex flex-wrap gap-3 print:hidden">
        <Button size="small" icon="repeat" loading={undoing} onClick={onUndo}>
          <Trans>Скасувати позначку</Trans>
        </Button>
        {payment.credits.length > 0 && (
          <Button
            size="small"
            icon="repeat"
            loading={undoCredit.isPending}
            onClick={() =>
              undoCredit.mutate(undefined, { onSuccess: () => announce(t`Зарахування скасовано`) })
            }
          >
            <Trans>Скасувати зарахування</Trans>
          </Button>
        )}
      </div>
    </Notice>
  )
}

/** The sum, the day of the mark, the payer's reference, and what of it the notary's bank has credited. */
function MarkedFacts({ payment }: { readonly payment: NonNullable<FiledOrder['codes_payment']> }) {
  const { t } = useLingui()
  const locale = useLocale()
  const credited = {
    term: t`Зараховано за випискою`,
    description: payment.credits.map(({ item_id: id, on, amount }) => (
      <div key={id}>
        {civilDate(on)}, <Sum value={fromHryvnias(amount)} />
      </div>
    )),
  }
  return (
    <DescriptionList
      items={[
        { term: t`Отримувачам`, description: <Sum value={fromHryvnias(payment.amount)} /> },
        { term: t`Позначено`, description: longMoment(payment.marked_at, locale) },
        {
          term: t`Референс із квитанції платника`,
          description: <span className="wrap-anywhere">{payment.reference ?? t`не зазначено`}</span>,
        },
        ...(payment.credits.length > 0 ? [credited] : []),
      ]}
    />
  )
}
