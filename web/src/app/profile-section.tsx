import { Trans, useLingui } from '@lingui/react/macro'
import { Link, Outlet } from '@tanstack/react-router'
import { Tabs } from '@/ui/tabs'

/** The profile page: its tabs. */
export function ProfileSection() {
  const { t } = useLingui()
  return (
    <div className="flex flex-col gap-8">
      <Tabs label={t`Профіль`}>
        <Link to="/me" activeOptions={{ exact: true }}>
          <Trans>Картка нотаріуса</Trans>
        </Link>
        <Link to="/me/user-cards">
          <Trans>Мої картки</Trans>
        </Link>
        <Link to="/me/book">
          <Trans>Довідник</Trans>
        </Link>
        <Link to="/me/security">
          <Trans>Безпека</Trans>
        </Link>
      </Tabs>
      <Outlet />
    </div>
  )
}
