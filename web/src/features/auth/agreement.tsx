import { Trans } from '@lingui/react/macro'
import type { ComponentProps } from 'react'
import { useConfig } from '@/api/use-config'
import { Checkbox } from '@/ui/checkbox'

/** The sentence that is agreed to, with the document it speaks of. */
export function Agreement(props: Omit<ComponentProps<typeof Checkbox>, 'label'>) {
  const config = useConfig()
  const offer = config?.offer_url
  return (
    <Checkbox
      {...props}
      label={
        offer === undefined ? (
          <Trans>Погоджуюся з умовами публічної оферти</Trans>
        ) : (
          <Trans>
            Погоджуюся з умовами{' '}
            <a href={offer} target="_blank" rel="noreferrer" className="link">
              публічної оферти
            </a>
          </Trans>
        )
      }
    />
  )
}
