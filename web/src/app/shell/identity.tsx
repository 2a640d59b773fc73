import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import type { User } from '@/api/user'
import { failureText } from '@/i18n/message-texts'
import { later } from '@/lib/later'
import { AwaitedPart } from '@/ui/awaited-part'
import { Icon } from '@/ui/icons'
import { Spinner } from '@/ui/spinner'

const Leaving = later(async () => (await import('./leaving')).Leaving)

interface IdentityProps {
  readonly user: User
  /** Called when the link is followed, to close the menu. */
  readonly onFollow?: () => void
}

/** The initials of the surname and the first name. */
function initials(fullName: string): string {
  return fullName
    .trim()
    .split(/\s+/u)
    .slice(0, 2)
    .map((word) => word.charAt(0).toLocaleUpperCase('uk'))
    .join('')
}

/** The signed-in notary, with a link to the profile. */
export function Identity({ user, onFollow }: IdentityProps) {
  const { t } = useLingui()
  return (
    <div className="flex flex-col gap-3">
      <Link
        to="/me"
        {...(onFollow && { onClick: onFollow })}
        aria-label={t`Картка нотаріуса: ${user.full_name}`}
        // The initials are decoration: as generated content they are no part of the accessible name.
        data-initials={initials(user.full_name)}
        className="flex size-14 items-center justify-center rounded-full border-2 border-seal text-lg font-semibold text-seal no-underline outline-offset-2 before:content-[attr(data-initials)] hover:bg-seal-wash"
      />
      <div className="min-w-0">
        <p className="leading-snug font-semibold text-balance">{user.full_name}</p>
        <p className="mt-0.5 text-sm text-ink-soft">ID: {user.registry_identifier}</p>
      </div>
    </div>
  )
}

/** Ends the session, after a question where something typed would be deleted. */
export function LogoutButton() {
  const { i18n } = useLingui()
  const [leaving, setLeaving] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)

  function stay(reason: unknown) {
    setFailure(reason)
    setLeaving(false)
  }

  return (
    <div className="flex flex-col gap-1">
      <button
        type="button"
        aria-busy={leaving || undefined}
        onClick={() => setLeaving(true)}
        className="-ml-2 inline-flex min-h-11 items-center gap-2.5 self-start rounded-md px-2 text-ink-soft hover:bg-inset hover:text-ink"
      >
        {leaving ? <Spinner /> : <Icon name="leave" />}
        <Trans>Вийти</Trans>
      </button>
      {leaving ? (
        <Suspense fallback={<AwaitedPart />}>
          <Leaving onStay={stay} />
        </Suspense>
      ) : (
        // Not a toast, which the menu would cover on a phone.
        failure !== null && (
          <p role="alert" className="text-sm text-danger">
            {failureText(failure, i18n)}
          </p>
        )
      )}
    </div>
  )
}
