import { plural, t } from '@lingui/core/macro'
import { isFailure } from '@/api/failure'
import { failureText } from '@/i18n/message-texts'

/** The text of a failure; of a refusal also the time to wait, where the server named one and the text itself does not. */
export function refusalText(error: unknown): string {
  const text = failureText(error)
  const seconds =
    isFailure(error) && error.kind === 'refusal' && error.key !== 'otp_too_soon' && error.retryAfter
  if (!seconds) return text
  const minutes = Math.ceil(seconds / 60)
  const wait =
    seconds < 60
      ? plural(seconds, { one: '# секунду', few: '# секунди', many: '# секунд', other: '# секунди' })
      : plural(minutes, { one: '# хвилину', few: '# хвилини', many: '# хвилин', other: '# хвилини' })
  // A second sentence says only to wait for a while.
  return `${text.split('.')[0]}. ${t`Зачекайте ${wait}.`}`
}
