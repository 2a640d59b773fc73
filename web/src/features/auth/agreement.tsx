import { Trans } from '@lingui/react/macro'
import type { ComponentProps } from 'react'
import { useConfig } from '@/api/use-config'
import { offerUrl } from '@/lib/offer-url'
import { useLocale } from '@/lib/use-locale'
import { Checkbox } from '@/ui/checkbox'

/** The checkbox of the terms, with a link to them if their address is known. */
export function Agreement(props: Omit<ComponentProps<typeof Checkbox>, 'label'>) {
  const config = useConfig()
  const locale = useLocale()
  const offer = offerUrl(config?.offer_url, locale)
  return (
    <Checkbox
      {...props}
      label={
        offer === null ? (
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
