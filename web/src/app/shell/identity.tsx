import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { logOut } from '@/api/login'
import { session } from '@/api/session'
import type { User } from '@/api/user'
import { failureText } from '@/i18n/message-texts'
import { Icon } from '@/ui/icons'
import { Spinner } from '@/ui/spinner'

interface IdentityProps {
  readonly user: User
  /** Called when the link is followed, so that the menu it stands in can close. */
  readonly onFollow?: () => void
}

/** Surname and first name's letters. */
function initials(fullName: string): string {
  return fullName
    .trim()
    .split(/\s+/u)
    .slice(0, 2)
    .map((word) => word.charAt(0).toLocaleUpperCase('uk'))
    .join('')
}

/** Who is signed in; leads to the notary's card. */
export function Identity({ user, onFollow }: IdentityProps) {
  const { t } = useLingui()
  return (
    <div className="flex flex-col gap-3">
      <Link
        to="/me"
        {...(onFollow && { onClick: onFollow })}
        aria-label={t`Картка нотаріуса: ${user.full_name}`}
        // Two letters are a picture here, not a word: drawn by the style, so that they are no part of the name.
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

/** Ends the session on the server, then here and in the other tabs. */
export function LogoutButton() {
  const { i18n } = useLingui()
  const [leaving, setLeaving] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)

  async function leave() {
    if (leaving) return
    setLeaving(true)
    setFailure(null)
    try {
      await logOut()
      session.close()
    } catch (error) {
      // It was over already, and who presses this button leaves: nothing that was typed is kept for the next login.
      if (session.state.status === 'guest') {
        session.close()
        return
      }
      // The session is still alive on the server: to say "you have left" would not be true.
      setFailure(error)
      setLeaving(false)
    }
  }

  return (
    <div className="flex flex-col gap-1">
      <button
        type="button"
        aria-busy={leaving || undefined}
        onClick={() => void leave()}
        className="-ml-2 inline-flex min-h-11 items-center gap-2.5 self-start rounded-md px-2 text-ink-soft hover:bg-inset hover:text-ink"
      >
        {leaving ? <Spinner /> : <Icon name="leave" />}
        <Trans>Вийти</Trans>
      </button>
      {/* Not a toast: the menu, where this button stands on a phone, would cover it. */}
      {failure !== null && (
        <p role="alert" className="text-sm text-danger">
          {failureText(failure, i18n)}
        </p>
      )}
    </div>
  )
}
