import { useLingui } from '@lingui/react/macro'
import { useEffect, useRef, type MouseEvent } from 'react'
import { Icon } from './icons'
import { usePageTitlePrefix } from './page-title'

export interface SummaryError {
  /** The id of the control that the link leads to. Without it the line is plain text. */
  readonly fieldId?: string
  readonly message: string
}

export interface ErrorSummaryProps {
  readonly errors: readonly SummaryError[]
  /** The number of failed tries to submit. When it changes, the summary takes the focus. */
  readonly attempt: number
}

function enter(event: MouseEvent, fieldId: string) {
  const control = document.querySelector<HTMLElement>(`#${CSS.escape(fieldId)}`)
  if (control === null) return
  event.preventDefault()
  control.scrollIntoView({ block: 'center' })
  control.focus({ preventScroll: true })
}

/** The errors of a form, as links to their fields. It takes the focus after a failed try. */
export function ErrorSummary({ errors, attempt }: ErrorSummaryProps) {
  const { t } = useLingui()
  const ref = useRef<HTMLDivElement>(null)
  const shown = errors.length > 0
  usePageTitlePrefix(shown ? t`Помилка` : null)

  // Once for each try: an error that appears while somebody types must not move the focus.
  const focusedFor = useRef(0)
  useEffect(() => {
    // `attempt` starts from zero again when the form is reset.
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
