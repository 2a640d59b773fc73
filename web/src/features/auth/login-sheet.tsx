import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { AuthSheet } from './auth-sheet'

/** The sheet of the login with its heading. It is also part of the static document. */
export function LoginSheet({ children }: { readonly children: ReactNode }) {
  return (
    <AuthSheet
      heading={<Trans>Вхід до кабінету</Trans>}
      lead={<Trans>Щоб увійти, підтвердьте свій номер телефону.</Trans>}
    >
      {children}
    </AuthSheet>
  )
}
