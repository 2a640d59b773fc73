import { Trans } from '@lingui/react/macro'
import { Notice } from '@/ui/notice'
import { PageHeading } from '@/ui/page-heading'
import { CardsFrame } from './cards-frame'

export default function UserCardsPage() {
  return (
    <div className="flex flex-col gap-6">
      <PageHeading
        lead={
          <Trans>
            Збережіть картку один раз, і наступні платежі можна буде здійснювати одним натисканням, без
            повторного введення номера.
          </Trans>
        }
      >
        <Trans>Мої картки</Trans>
      </PageHeading>
      {/* Above the frame, since the frame changes its height after loading and would move the notice. */}
      <Notice tone="info">
        <Trans>
          Дані картки вводяться на сторінці банку, яка відповідає стандарту безпеки PCI DSS. Кабінет не бачить
          і не зберігає повного номера, строку дії та CVV.
        </Trans>
      </Notice>
      <CardsFrame />
    </div>
  )
}
