import { useId, type ReactNode } from 'react'

import { Button, type ButtonProps } from '@/ui/button'
import { Dialog, type DialogProps } from '@/ui/dialog'

interface DialogFormProps extends Pick<DialogProps, 'open' | 'onClose' | 'title' | 'children'> {
  /** It is being done: the dialog can't be closed. */
  readonly busy: boolean
  readonly variant: NonNullable<ButtonProps['variant']>
  /** The words of the two buttons. */
  readonly submit: ReactNode
  readonly cancel: ReactNode
  readonly onSubmit: () => void
}

/** A form in a dialog, or a question without fields: it is sent once, or given up. */
export function DialogForm({
  busy,
  variant,
  submit,
  cancel,
  onSubmit,
  children,
  ...dialog
}: DialogFormProps) {
  const form = useId()
  return (
    <Dialog
      {...dialog}
      closable={!busy}
      actions={
        <>
          <Button type="submit" form={form} variant={variant} loading={busy}>
            {submit}
          </Button>
          {!busy && <Button onClick={dialog.onClose}>{cancel}</Button>}
        </>
      }
    >
      <form
        id={form}
        noValidate
        className="contents"
        onSubmit={(event) => {
          event.preventDefault()
          onSubmit()
        }}
      >
        {children}
      </form>
    </Dialog>
  )
}
