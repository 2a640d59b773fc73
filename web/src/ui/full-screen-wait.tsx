import { useId, useLayoutEffect, useRef, type ReactNode } from 'react'
import { Spinner } from './spinner'

interface FullScreenWaitProps {
  /** The text of what is awaited. */
  readonly title: ReactNode
  readonly children?: ReactNode
  /** The only thing that may be pressed. */
  readonly action?: ReactNode
}

/** Covers the page while nothing on it may be used, as during a payment. It cannot be closed. */
export function FullScreenWait({ title, children, action }: FullScreenWaitProps) {
  const ref = useRef<HTMLDialogElement>(null)
  const titleId = useId()

  // Closed in a layout effect, while the dialog is still in the document: a removed dialog cannot restore the focus.
  useLayoutEffect(() => {
    const dialog = ref.current
    const opener = document.activeElement
    dialog?.showModal()
    return () => {
      dialog?.close()
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus()
    }
  }, [])

  return (
    <dialog
      ref={ref}
      aria-labelledby={titleId}
      // As in `Dialog`: a browser closes the dialog in spite of prevented `cancel` events.
      closedby="none"
      onCancel={(event) => event.preventDefault()}
      onClose={({ currentTarget: dialog }) => {
        if (!dialog.open) dialog.showModal()
      }}
      className="m-0 h-dvh max-h-none w-screen max-w-none animate-appear bg-desk p-6 text-ink"
    >
      <div className="flex h-full flex-col items-center justify-center gap-5 text-center">
        <div role="status" className="flex flex-col items-center gap-5">
          <Spinner size={48} className="text-seal" />
          <p id={titleId} tabIndex={-1} className="text-xl font-semibold tracking-tight text-balance">
            {title}
          </p>
          {children && <div className="max-w-[44ch] text-ink-soft">{children}</div>}
        </div>
        {action}
      </div>
    </dialog>
  )
}
