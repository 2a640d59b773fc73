import { Trans } from '@lingui/react/macro'
import { useConfig } from '@/api/use-config'
import { offerUrl } from '@/lib/offer-url'
import { useLocale } from '@/lib/use-locale'
import { FooterFrame } from './footer-frame'

/** Terms, public offer, whom to ask, and the accepted card systems. */
export function Footer() {
  const locale = useLocale()
  const config = useConfig()
  const offer = offerUrl(config?.offer_url, locale)
  return (
    <FooterFrame
      links={
        config && (
          <>
            {offer !== null && (
              <a
                href={offer}
                target="_blank"
                rel="noreferrer"
                className="link inline-flex min-h-6 items-center"
              >
                <Trans>Публічна оферта</Trans>
              </a>
            )}
            <a href={`mailto:${config.support.email}`} className="link inline-flex min-h-6 items-center">
              {config.support.email}
            </a>
            <a
              href={`tel:${config.support.phone.replace(/[^\d+]/gu, '')}`}
              className="link inline-flex min-h-6 items-center whitespace-nowrap"
            >
              {config.support.phone}
            </a>
          </>
        )
      }
    />
  )
}
