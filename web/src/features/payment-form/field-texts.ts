import type { SummaryError } from '@/ui/error-summary'
import { messageText } from '@/i18n/message-texts'

import type { ShownErrors } from './form-state'
import { FIELD_ORDER, type FieldName } from './values'

/** The id of a field's control: the links of the error summary lead there. */
export function fieldId(name: FieldName): string {
  return `payment-${name}`
}

/** The words of a field's error, or nothing. */
export function errorText(errors: ShownErrors, name: FieldName): string | undefined {
  const error = errors[name]
  return error === undefined ? undefined : messageText(error.key)
}

/** All shown errors in the order of the page. */
export function summaryOf(errors: ShownErrors): readonly SummaryError[] {
  return FIELD_ORDER.flatMap((name) => {
    const message = errorText(errors, name)
    return message === undefined ? [] : [{ fieldId: fieldId(name), message }]
  })
}
