import { useLingui } from '@lingui/react/macro'
import { useEffect, useId, useRef, type ReactNode } from 'react'
import { IconButton } from './button'
import { cx } from './cx'

export interface DialogProps {
  readonly open: boolean
  /** Called when the dialog should close: by Esc, the close button or a press beside the dialog. */
  readonly onClose: () => void
  readonly title: ReactNode
  readonly children: ReactNode
  /** The buttons at the foot, the main one first. */
  readonly actions?: ReactNode
  /** False while an action must not be interrupted, such as a payment. */
  readonly closable?: boolean
  readonly className?: string
}

/**
 * A modal window, a native `dialog`: it keeps the focus inside, Esc closes it, and the focus returns to the element that opened
 * it. It begins at the element with `data-focus-first`, or else at the first one. Its content is mounted anew at each opening.
 */
export function Dialog({ open, onClose, title, children, actions, closable = true, className }: DialogProps) {
  const { t } = useLingui()
  const ref = useModal(open)
  const titleId = useId()
  if (!open) return null
  return (
    <dialog
      ref={ref}
      aria-labelledby={titleId}
      // Without `closedby` a browser allows `cancel` to be prevented only sometimes; after that Esc, or Back on a phone, closes
      // the dialog.
      closedby={closable ? 'closerequest' : 'none'}
      onCancel={(event) => {
        // That of a dialog which was opened from this one.
        if (event.target !== event.currentTarget) return
        event.preventDefault()
        if (closable) onClose()
      }}
      onClose={({ currentTarget: dialog }) => {
        if (dialog.open) return
        if (closable) onClose()
        // A browser without `closedby` has closed the dialog: it is opened again until the action ends.
        else dialog.showModal()
      }}
      onMouseDown={({ target, currentTarget, clientX: x, clientY: y }) => {
        const { left, right, top, bottom } = currentTarget.getBoundingClientRect()
        // A press of its own scrollbar has the same target.
        const isBeside = x < left || x > right || y < top || y > bottom
        if (closable && target === currentTarget && isBeside) onClose()
      }}
      className={cx(
        'm-auto max-h-[min(90dvh,56rem)] w-[min(34rem,calc(100vw-2rem))] animate-appear scroll-pb-56 overflow-y-auto rounded-md bg-sheet p-0 text-left text-ink shadow-raised',
        'backdrop:bg-[light-dark(#1b22337a,#000000b0)]',
        'max-sm:mb-0 max-sm:w-full max-sm:max-w-full max-sm:rounded-b-none',
        className,
      )}
    >
      <div className="flex flex-col gap-5 p-5 sm:p-8">
        <div className="flex items-start justify-between gap-4">
          <h2 id={titleId} className="text-xl font-semibold tracking-tight">
            {title}
          </h2>
          {closable && (
            <IconButton icon="close" label={t`Закрити`} onClick={onClose} className="-mt-2 -mr-2" />
          )}
        </div>
        {children}
        {actions && <div className="dialog-foot actions">{actions}</div>}
      </div>
    </dialog>
  )
}

/** Opens the dialog, and gives the focus back when it is closed. */
function useModal(open: boolean) {
  const ref = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const dialog = ref.current
    if (!open || dialog === null) return undefined
    const opener = document.activeElement
    dialog.showModal()
    // It begins at its top: room is kept for the foot below what is focused, also where that is in the foot itself.
    dialog.querySelector<HTMLElement>('[data-focus-first]')?.focus({ preventScroll: true })
    return () => {
      dialog.close()
      // The browser restores the focus, too, but not if the dialog was removed from the document before it was closed.
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus()
    }
  }, [open])
  return ref
}
