import { useLingui } from '@lingui/react/macro'
import { useEffect, useRef, type MouseEvent } from 'react'
import { Icon } from './icons'
import { usePageTitlePrefix } from './page-title'

export interface SummaryError {
  /** The id of the control that the link leads to; without it the line is plain text. */
  readonly fieldId?: string
  readonly message: string
}

export interface ErrorSummaryProps {
  readonly errors: readonly SummaryError[]
  /** Change it at every submit that failed (React Hook Form's `submitCount`): the summary then takes the focus again. */
  readonly attempt: number
}

function enter(event: MouseEvent, fieldId: string) {
  const control = document.querySelector<HTMLElement>(`#${CSS.escape(fieldId)}`)
  if (control === null) return
  event.preventDefault()
  control.scrollIntoView({ block: 'center' })
  control.focus({ preventScroll: true })
}

/** All that is wrong in a form, at its head: takes the focus, and each line leads into its field. */
export function ErrorSummary({ errors, attempt }: ErrorSummaryProps) {
  const { t } = useLingui()
  const ref = useRef<HTMLDivElement>(null)
  const shown = errors.length > 0
  usePageTitlePrefix(shown ? t`Помилка` : null)

  // One attempt moves the focus once: a rule that fails again while somebody types must not take it away.
  const focusedFor = useRef(0)
  useEffect(() => {
    // A form that was begun anew counts its attempts from the start.
    if (attempt < focusedFor.current) focusedFor.current = attempt
    if (shown && attempt !== focusedFor.current) {
      focusedFor.current = attempt
      ref.current?.focus()
    }
  }, [shown, attempt])

  if (!shown) return null

  return (
    <div
      ref={ref}
      role="alert"
      tabIndex={-1}
      className="flex gap-3 rounded-sm border-l-4 border-danger bg-danger-wash px-4 py-3.5"
    >
      <Icon name="alert" size={22} className="mt-0.5 shrink-0 text-danger" />
      <div className="flex flex-col gap-1.5">
        <h2 className="font-semibold">{t`У формі є помилки`}</h2>
        <ul className="flex flex-col gap-1">
          {errors.map(({ fieldId, message }) => (
            <li key={`${fieldId ?? ''} ${message}`}>
              {fieldId === undefined ? (
                message
              ) : (
                <a
                  href={`#${fieldId}`}
                  onClick={(event) => enter(event, fieldId)}
                  className="link text-danger hover:text-danger"
                >
                  {message}
                </a>
              )}
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}
