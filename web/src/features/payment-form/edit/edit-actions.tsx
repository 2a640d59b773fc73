import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { Suspense } from 'react'

import { Refusal } from '@/api/failure'
import { failureText, messageText } from '@/i18n/message-texts'
import { cartRowId } from '@/lib/cart-row-id'
import { isSameDigits } from '@/lib/client-code'
import { useOnline } from '@/lib/use-online'
import { AwaitedPart } from '@/ui/awaited-part'
import { Button, buttonClass } from '@/ui/button'
import { Notice } from '@/ui/notice'

import { PriceChanged } from '../later-parts'
import type { NewPrice } from '../new-price'
import type { ShownPrice } from '../read-payment'

interface EditActionsProps {
  readonly itemId: string
  readonly clientCode: string
  readonly price: ShownPrice | null
  readonly newPrice: NewPrice | null
  readonly saving: boolean
  /** Why the last try to save has failed; null where it has not. */
  readonly failure: unknown
  readonly onAccept: (price: NewPrice) => void
  readonly onRefuse: () => void
  /** Called when the changes are given up. */
  readonly onLeave: () => void
}

/** The buttons of the form, the way back to the cart, and the notices beside them. */
export function EditActions(props: EditActionsProps) {
  const { itemId, clientCode, price, newPrice, saving, failure, onAccept, onRefuse, onLeave } = props
  const { t, i18n } = useLingui()
  const online = useOnline()
  const disabledReason = isSameDigits(clientCode)
    ? messageText('client_inn_same_digits', i18n)
    : online
      ? null
      : t`Немає зв’язку з інтернетом`
  return (
    <div className="flex flex-col gap-3">
      {newPrice !== null && (
        <Suspense fallback={<AwaitedPart />}>
          <PriceChanged
            edits
            shown={price}
            price={newPrice}
            adding={saving}
            onAccept={() => onAccept(newPrice)}
            onRefuse={onRefuse}
          />
        </Suspense>
      )}
      {failure !== null && !(failure instanceof Refusal) && (
        <Notice tone="error" title={<Trans>Сервер не підтвердив збереження</Trans>}>
          <p>{failureText(failure, i18n)}</p>
          <p>
            <Trans>Введені дані залишилися у формі. Збережіть ще раз: у кошику буде один цей платіж.</Trans>
          </p>
        </Notice>
      )}
      <Button
        type="submit"
        variant={newPrice === null ? 'primary' : 'quiet'}
        wide
        loading={saving}
        disabledReason={disabledReason}
      >
        <Trans>Зберегти зміни</Trans>
      </Button>
      <Link to="/cart" hash={cartRowId(itemId)} className={buttonClass({ wide: true })} onClick={onLeave}>
        <Trans>Не змінювати</Trans>
      </Link>
    </div>
  )
}
