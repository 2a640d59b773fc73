import { useEffect, useEffectEvent, type ReactNode } from 'react'

import { Button } from '@/ui/button'
import { cx } from '@/ui/cx'

import type { KeptForm } from './use-kept-form'

interface FormShellProps<Name extends string> {
  readonly form: Pick<
    KeptForm<{ readonly [Field in Name]: string }, unknown>,
    'busy' | 'focus' | 'forget' | 'submit'
  >
  /** The field that has the focus at first: the button that opened the form is gone. */
  readonly first: Name
  readonly label?: string
  readonly className?: string
  /** Stands above the fields. */
  readonly lead?: ReactNode
  /** The fields. They are held while the form is sent: what is changed then would not be in what is sent. */
  readonly children: ReactNode
  /** Why the form was not sent. */
  readonly failed: ReactNode
  /** The words of the two buttons. */
  readonly submit: ReactNode
  readonly cancel: ReactNode
  /** Closes the form. */
  readonly onClose: () => void
}

/** A form that is opened on a page by a button, and closed once it is sent or given up. */
export function FormShell<Name extends string>({
  form,
  first,
  label,
  className,
  lead,
  children,
  failed,
  submit,
  cancel,
  onClose,
}: FormShellProps<Name>) {
  const focusFirst = useEffectEvent(() => form.focus(first))
  useEffect(() => focusFirst(), [])
  return (
    <form
      noValidate
      onSubmit={form.submit}
      aria-label={label}
      className={cx('flex flex-col gap-5', className)}
    >
      {lead}
      <fieldset role="presentation" disabled={form.busy} className="contents">
        {children}
      </fieldset>
      {failed}
      <div className="actions">
        <Button type="submit" variant="primary" loading={form.busy}>
          {submit}
        </Button>
        {!form.busy && (
          <Button
            onClick={() => {
              form.forget()
              onClose()
            }}
          >
            {cancel}
          </Button>
        )}
      </div>
    </form>
  )
}
