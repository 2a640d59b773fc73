import { Trans, useLingui } from '@lingui/react/macro'
import { Suspense } from 'react'

import { Refusal } from '@/api/failure'
import { failureText, messageText } from '@/i18n/message-texts'
import { isSameDigits } from '@/lib/client-code'
import { useOnline } from '@/lib/use-online'
import { AwaitedPart } from '@/ui/awaited-part'
import { Button } from '@/ui/button'
import { Notice } from '@/ui/notice'

import { PriceChanged } from './later-parts'
import type { NewPrice } from './new-price'
import type { ShownPrice } from './read-payment'

interface AddActionsProps {
  readonly clientCode: string
  readonly price: ShownPrice | null
  readonly newPrice: NewPrice | null
  readonly adding: boolean
  /** Why the last try to add the payment has failed; null where it has not. Undefined: it had no answer before the page was loaded anew. */
  readonly failure: unknown
  readonly onAccept: (price: NewPrice) => void
  readonly onRefuse: () => void
  readonly onClear: () => void
}

/** The buttons of the form and the notices beside them. */
export function AddActions({
  clientCode,
  price,
  newPrice,
  adding,
  failure,
  onAccept,
  onRefuse,
  onClear,
}: AddActionsProps) {
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
            shown={price}
            price={newPrice}
            adding={adding}
            onAccept={() => onAccept(newPrice)}
            onRefuse={onRefuse}
          />
        </Suspense>
      )}
      {failure !== null && !(failure instanceof Refusal) && (
        <Notice tone="error" title={<Trans>Сервер не підтвердив додавання</Trans>}>
          {failure !== undefined && <p>{failureText(failure, i18n)}.</p>}
          <p>
            <Trans>Введені дані збережено. Додайте ще раз: двічі цей платіж до кошика не потрапить.</Trans>
          </p>
        </Notice>
      )}
      <div className="grid gap-2 sm:grid-cols-[minmax(0,1fr)_auto] sm:items-start">
        <Button
          type="submit"
          className="sm:px-2!"
          aria-keyshortcuts="Control+Enter"
          variant={newPrice === null ? 'primary' : 'quiet'}
          wide
          loading={adding}
          disabledReason={disabledReason}
        >
          <Trans>Додати до кошика</Trans>
        </Button>
        <Button onClick={onClear} className="text-sm! sm:px-2!">
          <Trans>Очистити форму</Trans>
        </Button>
      </div>
    </div>
  )
}
