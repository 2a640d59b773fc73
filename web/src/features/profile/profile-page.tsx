import { Trans } from '@lingui/react/macro'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { queryClient } from '@/api/query-client'
import { userQuery } from '@/api/user'
import { isBegun } from '@/forms/draft'
import { accountTexts } from '@/i18n/accounts/catalog'
import { loadCatalog } from '@/i18n/i18n'
import { PageHeading } from '@/ui/page-heading'
import { ProfileForm } from './profile-form'

/** A profile that was loaded within this time is not loaded again as the page opens. */
const JUST_READ_MS = 3000

export async function loader(): Promise<void> {
  await Promise.all([
    queryClient.ensureQueryData(userQuery()),
    // The words of what is wrong with an account. Without them it is said in general words.
    loadCatalog(accountTexts).catch(() => undefined),
  ])
}

export default function ProfilePage() {
  const { data: user } = useSuspenseQuery({
    ...userQuery(),
    // Another tab or device may have changed the profile since.
    staleTime: JUST_READ_MS,
    refetchOnWindowFocus: 'always',
  })
  return (
    <div className="flex flex-col gap-6">
      <PageHeading
        lead={
          <Trans>
            Ці дані зазначаються у ваших платежах і квитанціях. Обов’язкові лише прізвище, ім’я, по батькові
            та ідентифікатор у реєстрі.
          </Trans>
        }
      >
        <Trans>Картка нотаріуса</Trans>
      </PageHeading>
      <WayBack notaryId={user.id} />
      <ProfileForm user={user} />
    </div>
  )
}

/** Leads back to what was begun before the profile was opened. */
function WayBack({ notaryId }: { readonly notaryId: string }) {
  // Read once: nothing else is typed while the profile is open.
  const [begun] = useState(() => ({
    payment: isBegun('draft', notaryId),
    deal: isBegun('draft deal', notaryId),
  }))
  if (!begun.payment && !begun.deal) return null
  return (
    <p className="flex flex-wrap gap-x-5 gap-y-2">
      {begun.payment && (
        <Link to="/" className="link">
          <Trans>Повернутися до розпочатого платежу</Trans>
        </Link>
      )}
      {begun.deal && (
        <Link to="/deal" className="link">
          <Trans>Повернутися до розпочатого розрахунку</Trans>
        </Link>
      )}
    </p>
  )
}
