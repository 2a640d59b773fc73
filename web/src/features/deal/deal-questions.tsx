import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'

import type { DealKind, DealKinds, DealQuestion } from '@/api/deals'
import { Button } from '@/ui/button'
import { cx } from '@/ui/cx'
import { FieldNotes } from '@/ui/field'
import { MoneyField } from '@/ui/money-field'
import { Select } from '@/ui/select'
import { useFocusAfter } from '@/ui/use-focus-after'

import { Details } from './deal-details'
import { detailsOf, isDetail } from './details'
import { sumNames } from './sum-names'
import { textOf, type Deal, type DealForm } from './use-deal'
import { answerField, KIND, questionsAsked, valueOf } from './values'

interface DealQuestionsProps {
  readonly deal: Deal
  readonly offered: DealKinds
}

/** Kinds of the latest deals that are offered at most. */
const LATEST_MAX = 3

/** The kind of deal, its sums, and the questions that decide on its payments. Nothing is answered without being asked for. */
export function DealQuestions({ deal, offered }: DealQuestionsProps) {
  const { t, i18n } = useLingui()
  const { form, kind } = deal
  const sums = kind?.sums.filter((sum) => !isDetail(sum)) ?? []
  const kindProps = textOf(form, KIND)
  // With the keyboard Tab goes on. Somebody who points goes on typing the sum.
  const pointed = useRef(false)
  const goOn = useFocusOf(kind)
  return (
    <div className="flex flex-col gap-1.5">
      {kind === null && <LatestKinds offered={offered} onChosen={(id) => (deal.repeat(id), goOn())} />}
      <div className={cx('grid gap-x-4 gap-y-2', kind !== null && sums.length > 0 && 'kind-and-sums')}>
        <Select
          {...kindProps}
          onValueChange={(id) => {
            kindProps.onValueChange(id)
            if (pointed.current) goOn()
          }}
          onPointerDown={() => (pointed.current = true)}
          onKeyDown={() => (pointed.current = false)}
          label={t`Вид нотаріальної дії`}
          placeholder={t`Виберіть…`}
          options={offered.kinds.map(({ id, name }) => ({ value: id, label: name }))}
        />
        {kind !== null && sums.length > 0 && (
          <div className="grid gap-x-4 gap-y-2 sm:grid-cols-2">
            {sums.map((sum) => (
              <MoneyField
                key={sum}
                {...textOf(form, sum)}
                label={i18n._(sumNames[sum])}
                hint={
                  kind.optional_sums.includes(sum)
                    ? t`Не потрібна, якщо від неї нічого не обчислюється`
                    : null
                }
                onBlur={() => form.check(sum)}
                enterKeyHint="next"
              />
            ))}
          </div>
        )}
      </div>
      {kind !== null && <LastAnswers deal={deal} kind={kind} />}
      {kind !== null &&
        questionsAsked(kind, form.values).map((question) => (
          <Question key={question.id} form={form} question={question} />
        ))}
      {kind !== null && detailsOf(kind, form.values).length > 0 && <Details form={form} kind={kind} />}
    </div>
  )
}

/** Returns a function that gives the focus to the first sum, or else the first question, of the kind that is chosen then. */
function useFocusOf(kind: DealKind | null): () => void {
  const wanted = useRef(false)
  useEffect(() => {
    if (!wanted.current || kind === null) return
    wanted.current = false
    const [sum] = kind.sums
    const [question] = kind.questions
    const name = sum ?? (question === undefined ? null : answerField(question.id))
    if (name !== null) document.querySelector<HTMLElement>(`#${CSS.escape(`deal-${name}`)}`)?.focus()
  }, [kind])
  return () => {
    wanted.current = true
  }
}

interface LatestKindsProps {
  readonly offered: DealKinds
  readonly onChosen: (id: string) => void
}

/** Begins a deal as the latest one of its kind was answered. */
function LatestKinds({ offered, onChosen }: LatestKindsProps) {
  const { t } = useLingui()
  const latest = offered.latest.slice(0, LATEST_MAX)
  const kinds = latest.flatMap((id) => offered.kinds.filter((kind) => kind.id === id))
  if (kinds.length === 0) return null
  return (
    <div role="group" aria-label={t`Як минулого разу`} className="flex flex-col gap-2">
      <p aria-hidden="true" className="text-sm font-medium">
        <Trans>Як минулого разу</Trans>
      </p>
      <div className="flex flex-wrap gap-2">
        {kinds.map(({ id, name }) => (
          <Button key={id} size="small" icon="repeat" onClick={() => onChosen(id)}>
            {name}
          </Button>
        ))}
      </div>
    </div>
  )
}

/** Answers as in the latest deal of the kind, and asks to check answers that were taken so. */
function LastAnswers({ deal, kind }: { readonly deal: Deal; readonly kind: DealKind }) {
  const { form } = deal
  const [isPressed, setIsPressed] = useState(false)
  const taken = useRef<HTMLParagraphElement>(null)
  const asked = questionsAsked(kind, form.values)
  const answers = asked.map(({ id }) => valueOf(form.values, answerField(id)))
  const isLast = asked.every(({ id }, index) => kind.last_answers?.[id] === answers[index])
  // Not to an answer, which a second press would change.
  useFocusAfter(isPressed && isLast, taken)
  if (kind.last_answers === null || kind.questions.length === 0) return null
  if (isLast)
    return (
      <p ref={taken} tabIndex={-1} role="status" className="text-sm text-caution">
        <Trans>Відповіді – як у попередньому розрахунку цього виду. Перевірте їх.</Trans>
      </p>
    )
  if (answers.some((answer) => answer !== '')) return null
  return (
    <div>
      <Button
        size="small"
        icon="repeat"
        onClick={() => {
          setIsPressed(true)
          deal.repeat(kind.id)
        }}
      >
        <Trans>Відповісти, як минулого разу</Trans>
      </Button>
    </div>
  )
}

function Question({ form, question }: { readonly form: DealForm; readonly question: DealQuestion }) {
  const { id, value, error, onValueChange } = textOf(form, answerField(question.id))
  const errorId = `${id}-error`
  return (
    <fieldset
      className="flex min-w-0 flex-col gap-x-4 gap-y-1.5 lg:flex-row lg:items-center"
      aria-describedby={error === null ? undefined : errorId}
      onKeyDown={chooseByLetter}
    >
      {/* A legend that floats can stand beside its answers. */}
      <legend className="text-sm leading-tight font-medium max-lg:mb-1.5 lg:float-left lg:w-100 lg:shrink-0">
        {question.question}
      </legend>
      <div className="flex min-w-0 flex-col gap-1">
        <div className="flex flex-wrap gap-1.5">
          {question.answers.map((answer, index) => (
            <label
              key={answer.id}
              className="flex min-h-10 cursor-pointer items-center gap-1.5 rounded-md border border-edge bg-sheet px-2 text-sm pointer-fine:min-h-8 transition-colors hover:border-ink has-checked:border-seal has-checked:bg-seal-wash"
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
      </div>
    </fieldset>
  )
}

/** Chooses the next answer that begins with the pressed letter or digit, as a list does, or else the one with the pressed number. */
function chooseByLetter(event: KeyboardEvent) {
  const { key, altKey, ctrlKey, metaKey, currentTarget } = event
  if (altKey || ctrlKey || metaKey || !/^[\p{L}\p{N}]$/u.test(key)) return
  const options = [...currentTarget.querySelectorAll('input')]
  const after = options.findIndex((option) => option.checked) + 1
  const inTurn = [...options.slice(after), ...options.slice(0, after)]
  const chosen = inTurn.find((option) =>
    option.labels?.[0]?.textContent.trim().toLowerCase().startsWith(key.toLowerCase()),
  )
  const answer = chosen ?? options[Number(key) - 1]
  if (answer === undefined) return
  event.preventDefault()
  answer.focus()
  answer.click()
}
