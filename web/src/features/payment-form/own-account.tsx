import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'

import type { PaymentKind } from '@/lib/commission'
import { Button } from '@/ui/button'
import { DescriptionList } from '@/ui/description-list'

import type { OwnAccount, PaymentFields } from './values'

/** Where the notary's own account is shown, to which 60 % of an administrative fee is credited. */
export interface OwnAccountPlace {
  /** The account of the profile stands beside the total, with its labels; any other one, or a wrong one, is typed into fields. */
  readonly shown: 'panel' | 'fields' | null
  /** The fields were opened by a press, and take the focus. */
  readonly opened: boolean
  readonly open: () => void
}

export function useOwnAccount(
  form: PaymentFields,
  kind: PaymentKind | null,
  profile: OwnAccount,
): OwnAccountPlace {
  const [opened, setOpened] = useState(false)
  const open = () => setOpened(true)
  if (kind !== 'admin_payment') {
    // Fields that come back with the kind take no focus.
    if (opened) setOpened(false)
    return { shown: null, opened: false, open }
  }
  const { ownIban, ownOkpo } = form.values
  const isProfiles = ownIban !== '' && ownIban === profile.ownIban && ownOkpo === profile.ownOkpo
  const isWrong = form.text('ownIban').error !== null || form.text('ownOkpo').error !== null
  return { shown: opened || !isProfiles || isWrong ? 'fields' : 'panel', opened, open }
}

/** The account of the profile; one press opens it for a change. */
export function ProfileAccount({
  account: { ownIban, ownOkpo },
  onOpen,
}: {
  readonly account: OwnAccount
  readonly onOpen: () => void
}) {
  const { t } = useLingui()
  return (
    <div className="relative border-t border-rule pt-2">
      <DescriptionList
        inRow
        className="tracking-tight tabular-nums"
        items={[
          { term: t`Ваш рахунок IBAN`, description: ownIban },
          { term: t`Ваш РНОКПП`, description: ownOkpo },
        ]}
      />
      <Button size="small" onClick={onOpen} className="absolute right-0 bottom-0">
        <Trans>Змінити рахунок</Trans>
      </Button>
    </div>
  )
}
