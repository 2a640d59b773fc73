import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { useRef, useState, type ReactNode } from 'react'

import { Refusal } from '@/api/failure'
import type { SavedCard } from '@/api/saved-cards'
import { failureText } from '@/i18n/message-texts'
import { useSumPartsText } from '@/i18n/orders/sum-parts-text'
import { useCardName } from '@/i18n/orders/card-name'
import { formatHryvnias } from '@/lib/money'
import { offerUrl } from '@/lib/offer-url'
import { useOnline } from '@/lib/use-online'
import { useLocale } from '@/lib/use-locale'
import { Button, buttonClass } from '@/ui/button'
import { Checkbox } from '@/ui/checkbox'
import { Dialog } from '@/ui/dialog'
import { Notice } from '@/ui/notice'
import { RadioCards, type RadioOption } from '@/ui/radio'
import { Sum } from '@/ui/sum'
import { useFocusAfter } from '@/ui/use-focus-after'

import type { Method, PaidGroup } from './create-order'
import { PayFailure } from './pay-failure'
import { TransfersToMake } from './transfers-to-make'
import type { Stage } from './use-checkout'

/** The option "another card"; it cannot be confused with a card token. */
const OTHER_CARD = ' other'

interface PaymentMethodDialogProps {
  readonly group: PaidGroup
  readonly stage: Stage
  readonly cards: readonly SavedCard[]
  /** The card that is chosen at first: the one that paid last. */
  readonly lastUsed: string | null
  readonly offer: string | undefined
  readonly onPay: (method: Method) => void
  readonly onClose: () => void
}

/** How to pay: a saved card or another one, with the consent to the offer. */
export function PaymentMethodDialog({
  group,
  stage,
  cards,
  lastUsed,
  offer,
  onPay,
  onClose,
}: PaymentMethodDialogProps) {
  const [choice, setChoice] = useState<string | null>(lastUsed)
  const [agreed, setAgreed] = useState(false)
  const options = useOptions(cards)
  const reason = useDisabledReason(choice, agreed)
  const paying = stage.kind === 'paying'
  const locale = useLocale()
  const sum = formatHryvnias(group.sum, locale)
  const partsText = useSumPartsText()

  function pay() {
    const card = cards.find(({ Token }) => Token === choice)
    onPay(card === undefined ? { kind: 'bank-page' } : { kind: 'saved-card', card })
  }

  return (
    <Dialog
      open
      onClose={onClose}
      closable={!paying}
      title={<Trans>Спосіб оплати</Trans>}
      actions={
        <>
          {/* In sight, whatever the list above has room for. */}
          <div className="w-full">
            <Checkbox
              data-focus-first={lastUsed === null ? undefined : ''}
              label={<OfferConsent address={offerUrl(offer, locale)} />}
              checked={agreed}
              onChange={({ target }) => setAgreed(target.checked)}
            />
            {choice !== null && <WhatPays card={cards.find(({ Token }) => Token === choice)} />}
          </div>
          <DialogActions
            sum={sum}
            paying={paying}
            ordered={stage.kind === 'failed' && stage.outcome === 'ordered-elsewhere'}
            disabledReason={reason}
            onPay={pay}
            onCancel={onClose}
          />
        </>
      }
    >
      <p className="border-y border-rule pt-3 pb-4">
        <span className="block text-ink-soft">{group.clientName}</span>
        <Sum value={group.sum} size="big" />
        <span className="block text-sm text-ink-soft">{partsText(group.parts)}</span>
      </p>
      {group.transfers.length > 0 && <TransfersToMake transfers={group.transfers} />}
      {stage.kind === 'failed' && (
        <PayFailure
          failure={stage.failure}
          outcome={stage.outcome}
          actions={
            needsBankPage(stage.failure) && (
              <Button
                size="small"
                disabledReason={agreed ? null : reason}
                onClick={() => onPay({ kind: 'bank-page' })}
              >
                <Trans>Сплатити на сторінці банку</Trans>
              </Button>
            )
          }
        />
      )}
      {/* Later its link would lead out of a payment that may be under way. */}
      {stage.kind === 'choosing' && (stage.failure !== null || cards.length === 0) && (
        <CardsNotice loadFailure={stage.failure}>
          <Trans>Збережіть картку, щоб платити одним натисканням, або сплатіть іншою карткою зараз.</Trans>
        </CardsNotice>
      )}
      <RadioCards
        legend={<Trans>Картка</Trans>}
        options={options}
        value={choice}
        onValueChange={(value) => {
          if (!paying) setChoice(value)
        }}
      />
      {paying && stage.repeating && (
        <p role="status" className="text-sm text-caution">
          <Trans>Зв’язок перервався. Перевіряємо, чи створено замовлення. Не сплачуйте вдруге.</Trans>
        </p>
      )}
    </Dialog>
  )
}

/** The id of what will be charged, by which Pay is described. */
export const WHAT_PAYS = 'what-pays'

/** What will be charged, in sight beside Pay: the list of the cards may be below the fold. */
export function WhatPays({ card }: { readonly card: SavedCard | undefined }) {
  const cardName = useCardName()
  const name = card && cardName(card)
  return (
    <p id={WHAT_PAYS} className="text-sm text-ink-soft">
      {name ? <Trans>Оплата: {name}</Trans> : <Trans>Оплата: на сторінці банку</Trans>}
    </p>
  )
}

/** Whether nothing lets a saved card pay this order here and now, and the bank's page needs no proof. */
const needsBankPage = (failure: unknown) =>
  failure instanceof Refusal &&
  (failure.key === 'device_too_new' ||
    failure.key === 'contacts_too_new' ||
    failure.extra.proof?.kinds.includes('code') === false)

interface DialogActionsProps {
  /** The sum as shown. */
  readonly sum: string
  readonly paying: boolean
  /** Another order contains the payments and may be paid, so this one must not. */
  readonly ordered: boolean
  readonly disabledReason: string | null
  readonly onPay: () => void
  readonly onCancel: () => void
}

function DialogActions({ sum, paying, ordered, disabledReason, onPay, onCancel }: DialogActionsProps) {
  const cancel = useRef<HTMLButtonElement>(null)
  useFocusAfter(ordered, cancel)
  return (
    <>
      {!ordered && (
        <Button
          variant="primary"
          icon="card"
          loading={paying}
          disabledReason={paying ? null : disabledReason}
          aria-describedby={WHAT_PAYS}
          onClick={onPay}
        >
          <Trans>Сплатити {sum}</Trans>
        </Button>
      )}
      {!paying && (
        <Button ref={cancel} onClick={onCancel}>
          <Trans>Скасувати</Trans>
        </Button>
      )}
    </>
  )
}

interface CardsNoticeProps {
  /** Why the saved cards could not be loaded, or null. */
  readonly loadFailure: unknown
  /** What can be done without a saved card. */
  readonly children: ReactNode
}

/** Explains why there is no saved card to choose. */
export function CardsNotice({ loadFailure, children }: CardsNoticeProps) {
  const { i18n } = useLingui()
  if (loadFailure !== null) {
    return (
      <Notice tone="warn" title={<Trans>Збережені картки не вдалося завантажити</Trans>}>
        {failureText(loadFailure, i18n)}
      </Notice>
    )
  }
  return (
    <Notice
      tone="info"
      title={<Trans>Збережених карток ще немає</Trans>}
      actions={
        <Link to="/me/user-cards" className={buttonClass({ size: 'small' })}>
          <Trans>Додати картку</Trans>
        </Link>
      }
    >
      {children}
    </Notice>
  )
}

function useOptions(cards: readonly SavedCard[]): readonly RadioOption<string>[] {
  const { t } = useLingui()
  const cardName = useCardName()
  const saved = cards.map((card) => ({ value: card.Token, label: cardName(card) }))
  return [
    ...saved,
    {
      value: OTHER_CARD,
      label: t`Інша картка`,
      description: t`Дані картки вводяться на захищеній сторінці банку`,
    },
  ]
}

function useDisabledReason(choice: string | null, agreed: boolean): string | null {
  const { t } = useLingui()
  if (!useOnline()) return t`Немає зв’язку з інтернетом`
  if (choice === null && !agreed) return t`Виберіть картку та погодьтеся з умовами оферти`
  if (choice === null) return t`Виберіть картку`
  return agreed ? null : t`Погодьтеся з умовами оферти`
}

export function OfferConsent({ address }: { readonly address: string | null }) {
  if (address === null) return <Trans>Я погоджуюся з умовами публічної оферти</Trans>
  return (
    <Trans>
      Я погоджуюся з{' '}
      <a href={address} target="_blank" rel="noopener noreferrer" className="link">
        умовами публічної оферти
      </a>
    </Trans>
  )
}
