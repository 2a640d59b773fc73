import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'

interface FooterFrameProps {
  /** The public offer and whom to ask. */
  readonly links?: ReactNode
}

/** The part of the footer that needs no data. */
export function FooterFrame({ links }: FooterFrameProps) {
  const { t } = useLingui()
  return (
    <footer className="border-t border-rule text-sm text-ink-soft print:hidden">
      <div className="flex frame-width flex-wrap items-center justify-between gap-x-10 gap-y-4 py-6">
        <div className="flex max-w-[37rem] flex-col xl:max-w-[54rem] gap-1.5">
          <p>
            <Trans>
              Сервіс приймає платежі за державні та адміністративні послуги. Кошти зараховуються отримувачам
              за реквізитами, зазначеними в платежі. Здійснюючи оплату, ви погоджуєтеся з умовами публічної
              оферти.
            </Trans>
          </p>
          {/* Reserves the height of the links, so that nothing moves when they load. */}
          <p className="flex min-h-6 flex-wrap gap-x-5 gap-y-1 max-sm:min-h-13">{links}</p>
        </div>
        <ul aria-label={t`Способи оплати`} className="flex gap-2.5">
          <CardMark name="Visa">
            <g
              transform="translate(5.5 0) skewX(-14)"
              fill="none"
              stroke="#1434cb"
              strokeWidth="3.1"
              strokeLinejoin="bevel"
            >
              <path d="M8.300 13l4.2 11.500h.3L17.400 13M21.600 13v12" />
              <path d="M33.400 15c-1-.7-2.300-1.100-3.700-1.100-2.200 0-3.500.9-3.500 2.400 0 3.300 7.500 2 7.500 5.400 0 1.600-1.500 2.500-3.800 2.500-1.700 0-3.200-.4-4.300-1.200" />
              <path d="M36.800 25l4.400-11.500h.4L46 25M38.500 21.600h6" />
            </g>
          </CardMark>
          <CardMark name="Mastercard">
            <circle cx="22.500" cy="19" r="9.500" fill="#eb001b" />
            <circle cx="33.500" cy="19" r="9.500" fill="#f79e1b" />
            <path d="M28 11.254a9.500 9.500 0 0 1 0 15.492 9.500 9.500 0 0 1 0-15.492Z" fill="#ff5f00" />
          </CardMark>
          <CardMark name={t`ПРОСТІР`}>
            <text
              x="28"
              y="22.200"
              textAnchor="middle"
              textLength="46"
              lengthAdjust="spacingAndGlyphs"
              fontSize="9.500"
              fontWeight="700"
              fill="#14365d"
            >
              ПРОСТІР
            </text>
          </CardMark>
        </ul>
      </div>
    </footer>
  )
}

/** The mark of a card system that is accepted, drawn here in its own colours; it stands on white in both themes. */
function CardMark({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <li>
      <svg
        role="img"
        aria-label={name}
        viewBox="0 0 56 38"
        width="56"
        height="38"
        className="rounded-sm border border-rule bg-[#fff]"
      >
        {children}
      </svg>
    </li>
  )
}
