import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'

interface FooterFrameProps {
  /** The public offer and whom to ask. */
  readonly links?: ReactNode
}

/** The footer as far as nothing has to be asked for it. */
export function FooterFrame({ links }: FooterFrameProps) {
  const { t } = useLingui()
  return (
    <footer className="border-t border-rule text-sm text-ink-soft print:hidden">
      <div className="mx-auto flex max-w-7xl flex-wrap items-center justify-between gap-x-10 gap-y-4 px-4 py-6 sm:px-8">
        <div className="flex max-w-[37rem] flex-col gap-1.5">
          <p>
            <Trans>
              Сервіс приймає платежі за державні та адміністративні послуги. Гроші зараховуються отримувачам
              за реквізитами, зазначеними в платежі. Здійснюючи оплату, ви погоджуєтеся з умовами
              обслуговування.
            </Trans>
          </p>
          {/* The place is kept, so that nothing moves when the links come. */}
          <p className="flex min-h-6 flex-wrap gap-x-5 gap-y-1 max-sm:min-h-13">{links}</p>
        </div>
        <ul aria-label={t`Способи оплати`} className="flex gap-2.5">
          <PaymentMark name={t`Платіжна картка`}>
            <rect x="13" y="9" width="30" height="20" rx="3" />
            <path d="M13 15.500h30M17 23.500h7" />
          </PaymentMark>
          <PaymentMark name={t`Безконтактна оплата телефоном`}>
            <rect x="16" y="7" width="14" height="24" rx="3" />
            <path d="M21 27.500h4M35 13.500c3 3.4 3 7.6 0 11m4-14c5 5 5 12 0 17" />
          </PaymentMark>
          <PaymentMark name={t`Захищене з’єднання та 3-D Secure`}>
            <path d="M28 6.5 17.5 10v8.500c0 6.5 4.2 11 10.5 13 6.3-2 10.5-6.5 10.5-13V10zM23 18.500l3.7 3.7 6.8-7.2" />
          </PaymentMark>
        </ul>
      </div>
    </footer>
  )
}

/** A neutral mark of a way of paying, drawn here: nobody's trademark. */
function PaymentMark({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <li>
      <svg
        role="img"
        aria-label={name}
        viewBox="0 0 56 38"
        width="56"
        height="38"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinecap="round"
        strokeLinejoin="round"
        className="rounded-sm border border-rule bg-sheet"
      >
        {children}
      </svg>
    </li>
  )
}
