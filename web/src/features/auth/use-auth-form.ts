import { useEffect, useEffectEvent } from 'react'
import type { FormOptions, NameOf } from '@/forms/form-options'
import { useForm, type Form } from '@/forms/use-form'
import { refusalText } from './refusal-text'
import { usePassingMessage } from './use-passing-message'

interface AuthFormOptions<Values, Request> extends Omit<
  FormOptions<Values, Request, void>,
  'onEdit' | 'onSent'
> {
  /** The field that shows the server's answer where it belongs to no other field. */
  readonly field: NameOf<Values>
  /** The text of a failure. */
  readonly failureText?: (failure: unknown) => string
  /** Selects the text of `field` after a failure. */
  readonly selectsField?: boolean
}

function nameIn<Values extends object>(values: Values, wireName: string): NameOf<Values> | null {
  return wireName in values ? (wireName as NameOf<Values>) : null
}

function focusedInput(): HTMLInputElement | null {
  return document.activeElement instanceof HTMLInputElement ? document.activeElement : null
}

/**
 * A form of login or sign-up. It opens with the focus in its first field, and shows the server's answers as passing messages.
 */
export function useAuthForm<Values extends object, Request>({
  field,
  failureText = refusalText,
  selectsField = false,
  ...options
}: AuthFormOptions<Values, Request>) {
  const answer = usePassingMessage()

  function show(failure: unknown) {
    answer.show(() => failureText(failure))
    form.focus(field)
  }

  const form: Form<Values, Request> = useForm({
    ...options,
    // An error of `field` is shown as a passing message; those of other fields stay at them.
    fieldOf: (wireName, values) => {
      const name =
        options.fieldOf === undefined ? nameIn(values, wireName) : options.fieldOf(wireName, values)
      return name === field ? null : name
    },
    onEdit: answer.clear,
    submit: (request: Request, values: Values) => {
      answer.clear()
      return options.submit(request, values)
    },
    onFailure: (failure, details) => {
      if (options.onFailure?.(failure, details) === true) return true
      if (details.placed) return false
      show(failure)
      if (selectsField) focusedInput()?.select()
      return true
    },
  })

  const begin = useEffectEvent(() => {
    const [first] = Object.keys(form.values) as NameOf<Values>[]
    if (first === undefined) return
    form.focus(first)
    const input = focusedInput()
    input?.setSelectionRange(input.value.length, input.value.length)
  })
  useEffect(() => begin(), [])

  return { form, answer, show }
}
