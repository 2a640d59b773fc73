import { Trans, useLingui } from '@lingui/react/macro'
import { Link, Outlet } from '@tanstack/react-router'
import { Tabs } from '@/ui/tabs'
import { Unfinished } from './unfinished'

/** The payments page: its three tabs. */
export function PaymentsSection() {
  const { t } = useLingui()
  return (
    <div className="flex flex-col gap-3">
      <Tabs label={t`Платежі`}>
        <Link to="/" activeOptions={{ exact: true, includeSearch: false }}>
          <Trans>Створити платіж</Trans>
        </Link>
        <Link to="/archive" activeOptions={{ includeSearch: false }}>
          <Trans>Архів</Trans>
        </Link>
        <Link to="/reports" activeOptions={{ includeSearch: false }}>
          <Trans>Звіти</Trans>
        </Link>
      </Tabs>
      <div>
        <Unfinished />
        <Outlet />
      </div>
    </div>
  )
}
