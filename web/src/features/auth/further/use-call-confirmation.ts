import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { verifyPhoneCall } from '@/api/login'
import { session } from '@/api/session'
import { awaitCall } from './await-call'

interface LoginCall {
  readonly phone: string
  readonly transactionId: string
  /** RFC 3339. */
  readonly expiresAt: string
}

/** Opens the session when the call is confirmed, and otherwise leads back to the login with the reason. */
export function useCallConfirmation({ phone, transactionId, expiresAt }: LoginCall) {
  const navigate = useNavigate()
  /** The last request had no answer. */
  const [away, setAway] = useState(false)

  useEffect(
    () =>
      awaitCall(
        {
          transactionId,
          expiresAt,
          verify: (signal) => verifyPhoneCall({ phone, transaction_id: transactionId }, signal),
        },
        {
          onConfirmed: (opened) => session.open(opened),
          onFailed: (loginReason) =>
            void navigate({
              to: '/login',
              replace: true,
              state: ({ returnTo }) => ({
                loginReason,
                ...(returnTo !== undefined && { returnTo }),
              }),
            }),
          onAway: setAway,
        },
      ),
    [phone, transactionId, expiresAt, navigate],
  )

  return { away }
}
