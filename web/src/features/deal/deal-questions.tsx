import { useLingui } from '@lingui/react/macro'
import type { KeyboardEvent } from 'react'

import type { DealKind, DealQuestion } from '@/api/deals'
import { FieldNotes } from '@/ui/field'
import { MoneyField } from '@/ui/money-field'
import { Select } from '@/ui/select'

import { textOf, type DealForm } from './use-deal'
import { answerField, KIND } from './values'

interface DealQuestionsProps {
  readonly form: DealForm
  readonly kinds: readonly DealKind[]
  readonly kind: DealKind | null
}

/** The kind of deal, its sums, and the questions that decide on its payments. Nothing is answered beforehand. */
export function DealQuestions({ form, kinds, kind }: DealQuestionsProps) {
  const { t } = useLingui()
  const labels = { price: t`Ціна за договором`, valuation: t`Оціночна вартість` }
  return (
    <div className="flex flex-col gap-6">
      <Select
        {...textOf(form, KIND)}
        label={t`Вид угоди`}
        placeholder={t`Виберіть…`}
        options={kinds.map(({ id, name }) => ({ value: id, label: name }))}
      />
      {kind !== null && kind.sums.length > 0 && (
        <div className="grid gap-x-6 gap-y-5 sm:grid-cols-2">
          {kind.sums.map((sum) => (
            <MoneyField key={sum} {...textOf(form, sum)} label={labels[sum]} onBlur={() => form.check(sum)} />
          ))}
        </div>
      )}
      {kind?.questions.map((question) => (
        <Question key={question.id} form={form} question={question} />
      ))}
    </div>
  )
}

function Question({ form, question }: { readonly form: DealForm; readonly question: DealQuestion }) {
  const { id, value, error, onValueChange } = textOf(form, answerField(question.id))
  const errorId = `${id}-error`
  return (
    <fieldset
      className="flex min-w-0 flex-col gap-2"
      aria-describedby={error === null ? undefined : errorId}
      onKeyDown={chooseByLetter}
    >
      <legend className="mb-1.5 text-sm font-medium">{question.question}</legend>
      <div className="flex flex-wrap gap-2">
        {question.answers.map((answer, index) => (
          <label
            key={answer.id}
            className="flex min-h-11 cursor-pointer items-center gap-2.5 rounded-md border border-edge bg-sheet px-3.5 py-2 transition-colors hover:border-ink has-checked:border-seal has-checked:bg-seal-wash"
          >
            <input
              type="radio"
              // The links of the error summary lead to the first one.
              id={index === 0 ? id : undefined}
              name={id}
              checked={answer.id === value}
              onChange={() => onValueChange(answer.id)}
              className="size-5 shrink-0 cursor-pointer"
            />
            {answer.name}
          </label>
        ))}
      </div>
      <FieldNotes hint={null} hintId="" error={error} errorId={errorId} />
    </fieldset>
  )
}

/** Chooses the next answer that begins with the pressed letter or digit, as a list does, or else the one with the pressed number. */
function chooseByLetter({ key, altKey, ctrlKey, metaKey, currentTarget }: KeyboardEvent) {
  if (altKey || ctrlKey || metaKey || !/^[\p{L}\p{N}]$/u.test(key)) return
  const options = [...currentTarget.querySelectorAll('input')]
  const after = options.findIndex((option) => option.checked) + 1
  const inTurn = [...options.slice(after), ...options.slice(0, after)]
  const chosen = inTurn.find((option) =>
    option.labels?.[0]?.textContent.trim().toLowerCase().startsWith(key.toLowerCase()),
  )
  const answer = chosen ?? options[Number(key) - 1]
  answer?.focus()
  answer?.click()
}
