import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { buttonClass } from '@/ui/button'
import { EmptyState } from '@/ui/empty-state'
import { PageHeading } from '@/ui/page-heading'
import { usePageTitleInstead } from '@/ui/page-title'
import { GuestFrame } from './guest-layout'

/** Shown for an unknown address, and for an order that does not exist or belongs to someone else. */
export function NotFoundPage() {
  const { t } = useLingui()
  const title = t`Такої сторінки немає`
  usePageTitleInstead(title)
  return (
    <EmptyState
      icon="search"
      title={<PageHeading>{title}</PageHeading>}
      actions={
        <>
          <Link to="/" className={buttonClass({ variant: 'primary' })}>
            <Trans>Новий платіж</Trans>
          </Link>
          <Link to="/archive" className={buttonClass()}>
            <Trans>До архіву</Trans>
          </Link>
        </>
      }
    >
      <Trans>Можливо, посилання застаріло або в ньому помилка.</Trans>
    </EmptyState>
  )
}

/** The same page with a frame of its own. */
export function LoneNotFoundPage() {
  return (
    <GuestFrame>
      <NotFoundPage />
    </GuestFrame>
  )
}
