import { Trans } from '@lingui/react/macro'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'

import { offeredClientsQuery } from '@/api/client-search'
import { dealKindsQuery } from '@/api/deals'
import { queryClient } from '@/api/query-client'
import { userQuery } from '@/api/user'
import { accountTexts } from '@/i18n/accounts/catalog'
import { loadCatalog, type Catalog } from '@/i18n/i18n'
import { buttonClass } from '@/ui/button'
import { EmptyState } from '@/ui/empty-state'
import { PageHeading } from '@/ui/page-heading'
import { Sheet } from '@/ui/sheet'

import { DealForm } from './deal-form'

const dealTexts: Catalog = {
  uk: () => import('./locales/uk.po'),
  en: () => import('./locales/en.po'),
}

/** Loads what the form needs before it is drawn, its texts, and the messages about accounts. */
export async function loader(): Promise<void> {
  await Promise.all([
    queryClient.ensureQueryData(dealKindsQuery()),
    queryClient.ensureQueryData(userQuery()),
    loadCatalog(dealTexts),
    loadCatalog(accountTexts),
    // The form works without it.
    queryClient.prefetchQuery(offeredClientsQuery('')),
  ])
}

/** A new deal: what it needs to be paid for, all of it into the cart at once. */
export default function DealPage() {
  const { data } = useSuspenseQuery(dealKindsQuery())
  const { data: user } = useSuspenseQuery(userQuery())
  return (
    <div className="flex flex-col gap-3 xl:[&_h1+p]:max-w-none">
      <PageHeading
        lead={
          <Trans>
            Опишіть нотаріальну дію: кабінет розрахує належні платежі й додасть їх до кошика для кожного
            платника.
          </Trans>
        }
      >
        <Trans>Розрахунок платежів</Trans>
      </PageHeading>
      {data.kinds.length === 0 ? <NoKinds /> : <DealForm offered={data} user={user} />}
    </div>
  )
}

function NoKinds() {
  return (
    <Sheet>
      <EmptyState
        title={<Trans>Правил розрахунку ще немає</Trans>}
        actions={
          <Link to="/" className={buttonClass({ variant: 'primary' })}>
            <Trans>Новий платіж</Trans>
          </Link>
        }
      >
        <Trans>
          У таблицях кабінету немає правил розрахунку. Додавайте платежі по одному; коли правила з’являться,
          повідомить оператор кабінету.
        </Trans>
      </EmptyState>
    </Sheet>
  )
}
