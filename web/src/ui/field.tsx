import { Trans } from '@lingui/react/macro'
import { useId, type ReactNode } from 'react'
import { cx } from './cx'
import { Icon } from './icons'

/** What every field has, whatever is typed or chosen in it. */
export interface FieldProps {
  readonly label: ReactNode
  /** Helps before anything is typed; stays visible. */
  readonly hint?: ReactNode
  /** Something to look at twice that does not stop anybody. */
  readonly caution?: ReactNode
  /** What is wrong, in words; tied to the field and announced. */
  readonly error?: ReactNode
  /** Says that the field may stay empty. */
  readonly optional?: boolean
  /** Where the links of an error summary lead; made up where nobody needs it. */
  readonly id?: string
}

/** What the control inside a field has to carry. */
interface ControlProps {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': true | undefined
}

interface FieldFrameProps extends FieldProps {
  readonly className?: string | undefined
  readonly children: (control: ControlProps) => ReactNode
}

/** The frame of a field: the label above, hint and messages below, all tied to the control by their ids. */
export function FieldFrame({
  label,
  hint,
  caution,
  error,
  optional,
  id,
  className,
  children,
}: FieldFrameProps) {
  const ownId = useId()
  const controlId = id ?? ownId
  const hintId = `${controlId}-hint`
  const cautionId = `${controlId}-caution`
  const errorId = `${controlId}-error`
  const described = cx(Boolean(hint) && hintId, Boolean(caution) && cautionId, Boolean(error) && errorId)
  return (
    <div className={cx('flex min-w-0 flex-col gap-1.5', className)}>
      <label htmlFor={controlId} className="text-sm font-medium text-ink">
        {label}
        {optional && (
          <span className="font-normal text-ink-soft">
            {' '}
            <Trans>(необов’язково)</Trans>
          </span>
        )}
      </label>
      {children({
        id: controlId,
        'aria-describedby': described || undefined,
        'aria-invalid': error ? true : undefined,
      })}
      <FieldNotes {...{ hint, hintId, caution, cautionId, error, errorId }} />
    </div>
  )
}

interface FieldNotesProps {
  readonly hint: ReactNode
  readonly hintId: string
  readonly caution?: ReactNode
  readonly cautionId?: string
  readonly error: ReactNode
  readonly errorId: string
}

/** The lines under a control: hint, caution and error, each with its sign. */
export function FieldNotes({ hint, hintId, caution, cautionId, error, errorId }: FieldNotesProps) {
  return (
    <>
      {hint && (
        <p id={hintId} className="text-sm text-ink-soft">
          {hint}
        </p>
      )}
      {caution && (
        <p id={cautionId} className="flex gap-1.5 text-sm text-caution">
          <Icon name="info" size={18} className="mt-px shrink-0" />
          <span>{caution}</span>
        </p>
      )}
      {/* Always there, so that a message that comes later is announced; a polite voice does not cut off the typing. */}
      <p
        id={errorId}
        aria-live="polite"
        className={cx('text-sm font-medium text-danger', Boolean(error) && 'flex gap-1.5')}
      >
        {error && (
          <>
            <Icon name="alert" size={18} className="mt-px shrink-0" />
            <span>{error}</span>
          </>
        )}
      </p>
    </>
  )
}

/** The look of everything that is typed into or chosen from. */
export const controlClass = cx(
  'min-h-12 w-full min-w-0 rounded-md border border-edge bg-sheet px-3.5 py-2 text-ink transition-colors',
  'placeholder:text-ink-soft hover:border-ink focus-visible:outline-offset-0',
  'aria-invalid:border-danger aria-invalid:outline-danger',
  '[&[readonly]]:border-rule [&[readonly]]:bg-inset disabled:cursor-not-allowed disabled:border-rule disabled:bg-inset disabled:text-ink-soft',
  'aria-disabled:cursor-not-allowed aria-disabled:border-rule aria-disabled:bg-inset aria-disabled:text-ink-soft',
)
