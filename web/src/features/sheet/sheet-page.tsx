import { Trans } from '@lingui/react/macro'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Suspense } from 'react'

import { queryClient } from '@/api/query-client'
import { userQuery } from '@/api/user'
import { accountTexts } from '@/i18n/accounts/catalog'
import { loadCatalog, type Catalog } from '@/i18n/i18n'
import { sheetMessages } from '@/i18n/sheet/catalog'
import { later } from '@/lib/later'
import { AwaitedPart } from '@/ui/awaited-part'
import { PageHeading } from '@/ui/page-heading'

import { SheetSourceForm } from './sheet-source'
import { useSheet } from './use-sheet'

const sheetTexts: Catalog = {
  uk: () => import('./locales/uk.po'),
  en: () => import('./locales/en.po'),
}
const orderTexts: Catalog = {
  uk: () => import('@/i18n/orders/locales/uk.po'),
  en: () => import('@/i18n/orders/locales/en.po'),
}

const SheetReport = later(async () => (await import('./sheet-report')).SheetReport)

export async function loader(): Promise<void> {
  // It is needed as soon as a sheet is read.
  void import('./sheet-report').catch(() => undefined)
  await Promise.all([
    queryClient.ensureQueryData(userQuery()),
    loadCatalog(sheetTexts),
    loadCatalog(sheetMessages),
    loadCatalog(orderTexts),
    loadCatalog(accountTexts),
  ])
}

/** Payments from a sheet: a file or pasted rows, what is right of them, and all of that into the cart. */
export default function SheetPage() {
  const { data: user } = useSuspenseQuery(userQuery())
  const sheet = useSheet(user.id)
  return (
    <div className="flex flex-col gap-6">
      <PageHeading
        lead={
          sheet.rows.length === 0 && (
            <Trans>
              Додайте до кошика багато платежів одразу: з файлу XLSX чи CSV або з рядків, скопійованих із
              таблиці.
            </Trans>
          )
        }
      >
        <Trans>Платежі з таблиці</Trans>
      </PageHeading>
      {sheet.rows.length === 0 ? (
        <SheetSourceForm sheet={sheet} />
      ) : (
        <Suspense fallback={<AwaitedPart />}>
          <SheetReport sheet={sheet} />
        </Suspense>
      )}
    </div>
  )
}
