import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { logOut } from '@/api/login'
import { session } from '@/api/session'
import { hasDrafts } from '@/forms/draft'
import { later } from '@/lib/later'

const LogoutDialog = later(async () => (await import('@/features/logout/load')).load())

interface LeavingProps {
  /** The notary stays signed in: the logout failed for this reason, or was not wanted. */
  readonly onStay: (failure: unknown) => void
}

/** Ends the session on the server, then here and in the other tabs. Asks first where something typed would be deleted. */
export function Leaving({ onStay }: LeavingProps) {
  const [asks, setAsks] = useState(hasDrafts)
  const leave = useEffectEvent(async () => {
    try {
      await logOut()
      session.close()
    } catch (error) {
      // The session had ended already. Logging out also deletes the drafts.
      if (session.state.status === 'guest') session.close()
      // The session is still open on the server, so the notary is not logged out.
      else onStay(error)
    }
  })
  // React runs effects twice in development.
  const begun = useRef(false)
  useEffect(() => {
    if (asks || begun.current) return
    begun.current = true
    void leave()
  }, [asks])
  if (!asks) return null
  // In the sidebar it would vanish with it when the window becomes narrow.
  return createPortal(
    <LogoutDialog onStay={() => onStay(null)} onLeave={() => setAsks(false)} />,
    document.body,
  )
}
