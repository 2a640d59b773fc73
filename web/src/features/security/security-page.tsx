import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { cardFiguresQuery } from '@/api/card-figures'
import { passkeysQuery } from '@/api/passkeys'
import { queryClient } from '@/api/query-client'
import { securityEventsQuery, sessionsQuery } from '@/api/security'
import { useConfig } from '@/api/use-config'
import { Notice } from '@/ui/notice'
import { PageHeading } from '@/ui/page-heading'
import { CardFigures } from './card-figures'
import { Events } from './events'
import { Passkeys } from './passkeys'
import { Sessions } from './sessions'

/** Starts loading the lists, but does not wait for them: the page shows the loading and a failure of each itself. */
export function loader(): Promise<void> {
  void queryClient.prefetchQuery(sessionsQuery())
  void queryClient.prefetchQuery(passkeysQuery())
  void queryClient.prefetchQuery(cardFiguresQuery())
  void queryClient.prefetchInfiniteQuery(securityEventsQuery())
  return Promise.resolve()
}

/** Where the notary is signed in, and what happened to the account. */
export default function SecurityPage() {
  return (
    <div className="flex flex-col gap-6">
      <PageHeading
        lead={
          <Trans>
            Перевіряйте, де відкрито ваш кабінет і хто до нього входив. Чужий сеанс можна завершити одразу.
          </Trans>
        }
      >
        <Trans>Безпека</Trans>
      </PageHeading>
      <Sessions />
      <Passkeys />
      <CardFigures />
      <WhatToDo />
      <Events />
    </div>
  )
}

/** What to do about an entry of somebody else. */
function WhatToDo() {
  const phone = useConfig()?.support.phone
  return (
    <Notice tone="info" title={<Trans>Бачите вхід або зміну, яких не робили?</Trans>}>
      <ol className="flex list-decimal flex-col gap-1 pl-5">
        <li>
          <Trans>Завершіть усі інші сеанси.</Trans>
        </li>
        <li>
          <Trans>Видаліть ключі доступу, яких ви не додавали.</Trans>
        </li>
        <li>
          <Trans>
            Перевірте рахунок, телефон і пошту в{' '}
            <Link to="/me" className="link">
              картці нотаріуса
            </Link>
            .
          </Trans>
        </li>
        <li>
          <Trans>Зателефонуйте до служби підтримки</Trans>
          {phone !== undefined && (
            <>
              {': '}
              <a href={`tel:${phone.replaceAll(/[^\d+]/gu, '')}`} className="link whitespace-nowrap">
                {phone}
              </a>
            </>
          )}
          .
        </li>
      </ol>
    </Notice>
  )
}
