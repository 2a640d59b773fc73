import { Trans } from '@lingui/react/macro'

import { civilDate } from '@/lib/dates'
import { Notice } from '@/ui/notice'

import { useToday } from '../use-today'

/** Says that what is paid after the Treasury's last day of the year reaches the budget in January. */
export function TreasuryStop({ lastDay }: { readonly lastDay: string }) {
  const isOver = lastDay < useToday()
  const day = civilDate(lastDay)
  return (
    <Notice tone="info" announce>
      {isOver ? (
        <Trans>
          Казначейство припинило приймати платежі цього року {day}. До бюджету сума надійде в січні.
        </Trans>
      ) : (
        <Trans>
          Казначейство приймає платежі цього року до {day} включно. Сплачене пізніше надійде до бюджету в
          січні.
        </Trans>
      )}
    </Notice>
  )
}
