import { Trans, useLingui } from '@lingui/react/macro'
import { useRef, type ReactNode, type RefObject } from 'react'

import { Refusal, type MessageKey } from '@/api/failure'
import { useConfig } from '@/api/use-config'
import { Failed } from '@/forms/failed'
import { messageText } from '@/i18n/message-texts'
import { civilDate } from '@/lib/dates'
import type { NotarialAct } from '@/lib/order-file'
import { readWholeDate } from '@/lib/typed-date'
import { Button } from '@/ui/button'
import { DateField } from '@/ui/date-field'
import { TextField } from '@/ui/text-field'

import { Disclosure } from './disclosure'
import type { ActField } from './act'
import { useAct, type ActState } from './use-act'

interface ActPartProps {
  /** The id of the client or of the order. */
  readonly id: string
  readonly owner: string | null
  readonly act: NotarialAct
  /** Whose payments they are, where a page has several clients. */
  readonly client?: string
  /** The ids of the client's payments in the cart, separated by spaces; none for an order. */
  readonly items?: string
  readonly save: (act: NotarialAct) => Promise<NotarialAct>
  /** Told of every save that a payment waits for. */
  readonly track?: (saving: Promise<void>) => void
  /** What can be done with it. */
  readonly children?: ReactNode
}

/** The notarial act of payments: folded away until it is wanted, saved as it is typed. */
export function ActPart({ id, owner, act, client, items, save, track, children }: ActPartProps) {
  const { t } = useLingui()
  const state = useAct({ id, owner, act, items: items ?? null, save, track })
  const { typed } = state
  const group = useRef<HTMLDivElement>(null)
  const day = readWholeDate(typed.date)
  const known = [
    typed.register_number && `№ ${typed.register_number}`,
    day === null ? typed.date : civilDate(day),
    typed.object,
  ].filter(Boolean)
  return (
    <Disclosure
      title={<Trans>Нотаріальна дія</Trans>}
      summary={known.join(', ') || <Trans>не вказано</Trans>}
      held={state.failure !== null || state.dateWrong}
    >
      <div
        ref={group}
        tabIndex={-1}
        role="group"
        aria-label={client === undefined ? t`Нотаріальна дія` : t`Нотаріальна дія: ${client}`}
        className="flex flex-wrap items-start gap-4"
      >
        <Field
          state={state}
          field="register_number"
          label={t`Реєстровий номер`}
          className="flex-[1_1_14rem]"
        />
        {/* As wide as its name is in one line, or else both fields would not stand in one line. */}
        <Field
          state={state}
          field="date"
          label={t`Дата нотаріальної дії`}
          className="flex-[0_1_17.5rem] max-sm:grow"
        />
        <Field
          state={state}
          field="object"
          label={t`Об’єкт`}
          hint={t`Наприклад, адреса квартири`}
          className="basis-full"
        />
      </div>
      <SaveLine state={state} fields={group} />
      {children}
    </Disclosure>
  )
}

interface FieldProps {
  readonly state: ActState
  readonly field: ActField
  readonly label: string
  readonly hint?: string
  readonly className?: string
}

function Field({ state, field, label, hint, className }: FieldProps) {
  const { t, i18n } = useLingui()
  const key = state.failure instanceof Refusal ? state.failure.errors[field]?.[0] : undefined
  const numberText = useNumberText()
  const value = state.typed[field]
  // What is no date says so itself, once it is left.
  const wrongDate =
    field === 'date' && (state.dateWrong || key !== undefined) && readWholeDate(value) !== null
  const Control = field === 'date' ? DateField : TextField
  return (
    <Control
      label={label}
      optional
      autoComplete="off"
      value={value}
      onValueChange={(text) => state.change(field, text)}
      onBlur={state.flush}
      error={
        wrongDate
          ? t`Такої дати бути не може: укажіть рік від 1993 до 2099`
          : key === 'register_number_invalid'
            ? numberText
            : key && messageText(key as MessageKey, i18n)
      }
      {...(hint && { hint })}
      {...(className && { className })}
    />
  )
}

/** What a number in the register may be, for one that is not. */
function useNumberText(): string {
  const { t, i18n } = useLingui()
  const rule = useConfig()?.register_number
  if (rule === undefined) return messageText('register_number_invalid', i18n)
  const { chars_max: charsMax, marks } = rule
  if (marks === null) return t`Номер може мати до ${charsMax} символів. Скоротіть його`
  if (marks === '') return t`Номер може мати до ${charsMax} символів: літери, цифри й пробіли`
  const listed = Array.from(marks).join(' ')
  return t`Номер може мати до ${charsMax} символів: літери, цифри, пробіли та знаки ${listed}`
}

interface SaveLineProps {
  readonly state: ActState
  /** They get the focus of a button that disappears when it is pressed. */
  readonly fields: RefObject<HTMLElement | null>
}

/** Whether all that was typed is stored, and the way back. */
function SaveLine({ state, fields }: SaveLineProps) {
  const { failure, saving, saved, undo, flush, refused } = state
  const press = (act: () => void) => () => {
    act()
    fields.current?.focus()
  }
  return (
    <div className="flex flex-col gap-3">
      {failure !== null && refused.size === 0 && (
        <Failed
          failure={failure}
          title={<Trans>Не збережено</Trans>}
          retry={<Trans>Зберегти ще раз</Trans>}
          onRetry={press(flush)}
        />
      )}
      <div className="flex min-h-8 flex-wrap items-center gap-y-2">
        <span role="status" className="text-sm text-ink-soft not-empty:mr-4">
          {saving ? (
            <Trans>Зберігаємо…</Trans>
          ) : saved && undo !== null ? (
            <Trans>Збережено</Trans>
          ) : (
            !saved && (failure === null || refused.size > 0) && <Trans>Ще не збережено</Trans>
          )}
        </span>
        {undo !== null && (
          <Button size="small" icon="repeat" onClick={press(undo)}>
            <Trans>Повернути, як було</Trans>
          </Button>
        )}
      </div>
    </div>
  )
}
