import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'

import { Refusal, type MessageKey } from '@/api/failure'
import { useRepeatOrder } from '@/api/use-repeat-order'
import { failureText, messageText } from '@/i18n/message-texts'
import type { FiledOrder } from '@/lib/order-file'
import { paymentKindText } from '@/lib/payment-kind'
import { Button, buttonClass } from '@/ui/button'
import { Notice } from '@/ui/notice'

/** Whether the order may be repeated as a whole: nothing more comes of it, and its payments are not in the cart already. */
export function isRepeatable({ status, failure, returned_to_cart_at: returnedAt }: FiledOrder): boolean {
  return status === 'paid' || status === 'refunded' || (failure === 'order_cancelled' && returnedAt === null)
}

/** Whether somebody may have paid an unpaid order by QR codes, past the cabinet. */
const mayBePaidByCodes = ({ status, codes_given_at: givenAt }: FiledOrder) =>
  givenAt !== null && status !== 'paid' && status !== 'refunded'

/** Puts all payments of the order into the cart again, in one press. */
export function RepeatPart({ order }: { readonly order: FiledOrder }) {
  const repeat = useRepeatOrder(order.id)
  const hasCodes = mayBePaidByCodes(order)
  return (
    <>
      {hasCodes && (
        <div className="basis-full">
          <Notice tone="warn" title={<Trans>Можливо, за QR-кодами вже сплачено</Trans>}>
            <Trans>Тоді не повторюйте замовлення: інакше його платежі можна сплатити вдруге.</Trans>
          </Notice>
        </div>
      )}
      <Button
        size="small"
        icon="repeat"
        loading={repeat.isPending}
        onClick={() => {
          if (!repeat.isPending) repeat.mutate({ despiteCodes: hasCodes })
        }}
      >
        {hasCodes ? (
          <Trans>За кодами не сплачено: повторити все замовлення</Trans>
        ) : (
          <Trans>Повторити все замовлення</Trans>
        )}
      </Button>
      {repeat.data !== undefined && (
        <div role="status" className="basis-full">
          <Repeated done={repeat.data} />
        </div>
      )}
      {repeat.error !== null && (
        <div className="basis-full">
          <NotRepeated order={order} error={repeat.error} isUnknown={repeat.isUnknown} />
        </div>
      )}
    </>
  )
}

/** How many payments were added, with the way to them. */
function Repeated({ done }: { readonly done: { readonly added: number } }) {
  return (
    <Notice
      tone="success"
      title={
        <Plural
          value={done.added}
          one="До кошика додано # платіж"
          few="До кошика додано # платежі"
          many="До кошика додано # платежів"
          other="До кошика додано # платежу"
        />
      }
      actions={
        <Link to="/cart" className={buttonClass({ variant: 'primary', size: 'small' })}>
          <Trans>До кошика</Trans>
        </Link>
      }
    >
      <Trans>Суми й рахунки отримувачів чинні на сьогодні. Перевірте їх перед оплатою.</Trans>
    </Notice>
  )
}

/** Why nothing was added, or that it is not known. */
function NotRepeated({ order, error, isUnknown }: NotRepeatableProps & { readonly isUnknown: boolean }) {
  const { i18n } = useLingui()
  return isUnknown ? (
    <Notice tone="warn" title={<Trans>Чи додано платежі до кошика, ще невідомо</Trans>}>
      <p>{failureText(error, i18n)}</p>
      <p>
        <Trans>Натисніть кнопку ще раз: жоден платіж не додасться двічі.</Trans>
      </p>
    </Notice>
  ) : (
    <Notice tone="error" title={<Trans>До кошика нічого не додано</Trans>}>
      <p>{failureText(error, i18n)}</p>
      <NotRepeatable order={order} error={error} />
    </Notice>
  )
}

interface NotRepeatableProps {
  readonly order: FiledOrder
  readonly error: unknown
}

/** The payments that can't be made today, with the reason. */
function NotRepeatable({ order, error }: NotRepeatableProps) {
  const { i18n } = useLingui()
  const errors = error instanceof Refusal ? error.errors : {}
  const named = order.items.flatMap((item) => {
    const key = errors[`items.${item.id}`]?.[0]
    return key === undefined ? [] : [{ item, key: key as MessageKey }]
  })
  if (named.length === 0) return null
  return (
    <ul className="flex list-disc flex-col gap-1 pl-5">
      {named.map(({ item, key }) => (
        <li key={item.id} className="wrap-anywhere">
          {item.payment_type_option?.name ?? i18n._(paymentKindText[item.payment_type.slug])}
          {': '}
          {messageText(key, i18n)}
        </li>
      ))}
    </ul>
  )
}
