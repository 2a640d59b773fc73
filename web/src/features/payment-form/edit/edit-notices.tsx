import { Trans, useLingui } from '@lingui/react/macro'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'

import { forgetDraft, isBegun, keepDraft, type DraftKey } from '@/forms/draft'
import { failureText, messageText } from '@/i18n/message-texts'
import { Button, buttonClass } from '@/ui/button'
import { focusHeading } from '@/ui/focus-heading'
import { Notice } from '@/ui/notice'

import { paymentDraft } from '../draft'
import type { PaymentValues } from '../values'
import type { ItemDraft } from './draft'
import type { Conflict } from './use-editing'

interface EditNoticesProps {
  readonly user: { readonly id: string }
  readonly draftKey: DraftKey<ItemDraft>
  readonly draft: ItemDraft | null
  readonly conflict: Conflict | null
  readonly typed: PaymentValues
  readonly changed: 'choices' | 'price' | null
  readonly reopening: boolean
  readonly reopenFailure: Error | null
  readonly onReopen: () => void
  readonly onReset: () => void
  readonly onOverwrite: () => void
}

/** What is to be said of the item above its form. */
export function EditNotices(props: EditNoticesProps) {
  const { user, draftKey, draft, conflict } = props
  const [continued, setContinued] = useState(draft !== null)
  if (conflict === 'gone') {
    return <GoneNotice notaryId={user.id} typed={props.typed} onTaken={() => forgetDraft(draftKey)} />
  }
  if (conflict === 'changed') {
    return (
      <ChangedNotice
        busy={props.reopening}
        failure={props.reopenFailure}
        onReopen={props.onReopen}
        onOverwrite={props.onOverwrite}
      />
    )
  }
  if (!continued) return <TodayNotice changed={props.changed} />
  return (
    <ContinuedNotice
      onReset={() => {
        props.onReset()
        setContinued(false)
        focusHeading()
      }}
    />
  )
}

interface GoneNoticeProps {
  readonly notaryId: string
  /** What was typed; null where nothing was. */
  readonly typed: PaymentValues | null
  /** Called when the typed values are in the form of a new payment. */
  readonly onTaken: () => void
}

/** Says that the item has left the cart. What was typed can become a new payment, where none is being typed. */
export function GoneNotice({ notaryId, typed, onTaken }: GoneNoticeProps) {
  const { i18n } = useLingui()
  const navigate = useNavigate()
  const isFree = !isBegun(paymentDraft.name, notaryId)
  function take(values: PaymentValues) {
    keepDraft(paymentDraft, notaryId, { values, wish: null })
    onTaken()
    void navigate({ to: '/' })
  }
  return (
    <Notice
      tone="error"
      title={messageText('cart_item_gone', i18n)}
      actions={
        <>
          <Link to="/cart" className={buttonClass({ size: 'small', variant: 'primary' })}>
            <Trans>До кошика</Trans>
          </Link>
          <Link to="/archive" className={buttonClass({ size: 'small' })}>
            <Trans>До архіву</Trans>
          </Link>
          {typed !== null && isFree && (
            <Button size="small" onClick={() => take(typed)}>
              <Trans>Перенести до нового платежу</Trans>
            </Button>
          )}
        </>
      }
    />
  )
}

interface ChangedNoticeProps {
  readonly busy: boolean
  /** Why the item could not be read again. */
  readonly failure: Error | null
  readonly onReopen: () => void
  readonly onOverwrite: () => void
}

/** Says that the item was changed elsewhere, and asks whose changes count. */
function ChangedNotice({ busy, failure, onReopen, onOverwrite }: ChangedNoticeProps) {
  const { i18n } = useLingui()
  return (
    <Notice
      tone="error"
      title={messageText('cart_item_changed', i18n)}
      actions={
        <>
          <Button size="small" variant="primary" loading={busy} onClick={onReopen}>
            <Trans>Показати дані з кошика</Trans>
          </Button>
          <Button size="small" onClick={onOverwrite}>
            <Trans>Зберегти мої зміни</Trans>
          </Button>
        </>
      }
    >
      <p>
        <Trans>Дані з кошика замінять введене тут. Збережені зміни замінять дані в кошику.</Trans>
      </p>
      {failure !== null && <p className="text-danger">{failureText(failure, i18n)}</p>}
    </Notice>
  )
}

/** Says that the form has changes that were typed earlier. */
function ContinuedNotice({ onReset }: { readonly onReset: () => void }) {
  return (
    <Notice
      tone="info"
      title={<Trans>Продовжено незбережені зміни</Trans>}
      actions={
        <Button size="small" onClick={onReset}>
          <Trans>Повернути дані з кошика</Trans>
        </Button>
      }
    >
      <Trans>Цей платіж ви почали змінювати раніше й не зберегли.</Trans>
    </Notice>
  )
}

/** Says what of the item has changed since it was added. */
function TodayNotice({ changed }: { readonly changed: 'choices' | 'price' | null }) {
  if (changed === 'choices') {
    return (
      <Notice tone="warn" announce title={<Trans>Деякі дані платежу вже недоступні</Trans>}>
        <Trans>Виберіть заново те, що залишилося незаповненим: послугу, строк або отримувача.</Trans>
      </Notice>
    )
  }
  if (changed === null) return null
  return (
    <Notice tone="warn" announce title={<Trans>Сума або рахунок змінилися</Trans>}>
      <Trans>Форму заповнено даними, чинними на сьогодні. Перевірте суму перед збереженням.</Trans>
    </Notice>
  )
}
