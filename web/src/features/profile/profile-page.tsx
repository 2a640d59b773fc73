import { Trans } from '@lingui/react/macro'
import { useSuspenseQuery } from '@tanstack/react-query'
import { queryClient } from '@/api/query-client'
import { userQuery } from '@/api/user'
import { PageHeading } from '@/ui/page-heading'
import { ProfileForm } from './profile-form'

/** A profile that was loaded within this time is not loaded again as the page opens. */
const JUST_READ_MS = 3000

export async function loader(): Promise<void> {
  await queryClient.ensureQueryData(userQuery())
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
      <ProfileForm user={user} />
    </div>
  )
}
