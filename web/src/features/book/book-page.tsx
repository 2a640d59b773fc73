import { Trans } from '@lingui/react/macro'

import { clientPagesQuery, ownRecipientsQuery } from '@/api/address-book'
import { queryClient } from '@/api/query-client'
import { userQuery } from '@/api/user'
import { accountTexts } from '@/i18n/accounts/catalog'
import { loadCatalog } from '@/i18n/i18n'
import { PageHeading } from '@/ui/page-heading'

import { Clients } from './clients'
import { Recipients } from './recipients'

/** Loads the notary. Starts loading both lists, but does not wait for them: the page shows the loading and a failure of each itself. */
export async function loader(): Promise<void> {
  void queryClient.prefetchInfiniteQuery(clientPagesQuery(''))
  void queryClient.prefetchQuery(ownRecipientsQuery())
  await Promise.all([
    queryClient.ensureQueryData(userQuery()),
    loadCatalog({ uk: () => import('./locales/uk.po'), en: () => import('./locales/en.po') }),
    loadCatalog(accountTexts),
  ])
}

/** The address book: clients and saved recipients. */
export default function BookPage() {
  return (
    <div className="flex flex-col gap-6">
      <PageHeading
        lead={
          <Trans>
            Клієнтів і отримувачів із довідника форма пропонує під час введення. Довідник бачите лише ви.
          </Trans>
        }
      >
        <Trans>Довідник</Trans>
      </PageHeading>
      <Clients />
      <Recipients />
    </div>
  )
}
