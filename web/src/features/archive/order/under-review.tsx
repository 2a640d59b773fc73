import { useLingui } from '@lingui/react/macro'

import { useConfig } from '@/api/use-config'
import { messageText } from '@/i18n/message-texts'

/** Shown while a payment is under review. The status may be wrong, so it is not repeated. */
export function UnderReview() {
  const { i18n } = useLingui()
  const support = useConfig()?.support
  return (
    <>
      <p>{messageText('order_under_review', i18n)}</p>
      {support !== undefined && (
        <p>
          <a href={`mailto:${support.email}`} className="link">
            {support.email}
          </a>
          ,{' '}
          <a href={`tel:${support.phone.replaceAll(/[^\d+]/gu, '')}`} className="link whitespace-nowrap">
            {support.phone}
          </a>
        </p>
      )}
    </>
  )
}
