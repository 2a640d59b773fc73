import { messageText } from '@/i18n/message-texts'
import { ErrorSummary, type SummaryError } from '@/ui/error-summary'

import type { Form } from './use-form'

interface FormErrorsProps {
  readonly form: Pick<Form<object, unknown>, 'attempt' | 'rest' | 'summary'>
  /** The errors of the fields, where the form words them itself. */
  readonly summary?: readonly SummaryError[]
}

/** The errors of a form after a failed try, also those that no field shows. */
export function FormErrors({ form, summary = form.summary }: FormErrorsProps) {
  return (
    <ErrorSummary
      errors={[
        ...(form.attempt > 0 ? summary : []),
        ...form.rest.map((key) => ({ message: messageText(key) })),
      ]}
      attempt={form.attempt}
    />
  )
}
