import { fireEvent, screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { renderUi } from '@/testing/render-ui'
import { Dialog } from './dialog'
import { FullScreenWait } from './full-screen-wait'

/** Simulates a close that the page cannot prevent, as browsers do after some refused ones (Esc, or Back on a phone). */
function closeAnyway(dialog: HTMLDialogElement) {
  dialog.close()
  fireEvent(dialog, new Event('close'))
}

test('a dialog that must not be interrupted asks the browser not to close it, and comes back if it does', async () => {
  const close = vi.fn<() => void>()
  await renderUi(
    <Dialog open closable={false} onClose={close} title="Спосіб оплати">
      <p>Зачекайте</p>
    </Dialog>,
  )
  const dialog = screen.getByRole<HTMLDialogElement>('dialog')
  expect(dialog).toHaveAttribute('closedby', 'none')
  closeAnyway(dialog)
  expect(dialog).toHaveAttribute('open')
  expect(close).not.toHaveBeenCalled()
})

test('a dialog that the browser has closed by itself is closed for its page, too', async () => {
  const close = vi.fn<() => void>()
  await renderUi(
    <Dialog open onClose={close} title="Меню">
      <p>Розділи</p>
    </Dialog>,
  )
  const dialog = screen.getByRole<HTMLDialogElement>('dialog')
  expect(dialog).toHaveAttribute('closedby', 'closerequest')
  closeAnyway(dialog)
  expect(close).toHaveBeenCalledOnce()
})

test('a dialog stays open when one that was opened from it is cancelled', async () => {
  const [outer, inner] = [vi.fn<() => void>(), vi.fn<() => void>()]
  await renderUi(
    <Dialog open onClose={outer} title="Меню">
      <Dialog open onClose={inner} title="Вийти?">
        <p>Дані не збережено</p>
      </Dialog>
    </Dialog>,
  )
  fireEvent(screen.getByRole('dialog', { name: 'Вийти?' }), new Event('cancel', { cancelable: true }))
  expect(inner).toHaveBeenCalledOnce()
  expect(outer).not.toHaveBeenCalled()
})

test('a press beside the dialog closes it, and one inside or of its own scrollbar does not', async () => {
  const close = vi.fn<() => void>()
  await renderUi(
    <Dialog open onClose={close} title="Меню">
      <p>Розділи</p>
    </Dialog>,
  )
  const dialog = screen.getByRole('dialog')
  vi.spyOn(dialog, 'getBoundingClientRect').mockReturnValue(new DOMRect(100, 50, 400, 300))
  fireEvent.mouseDown(dialog, { clientX: 495, clientY: 200 })
  // A selection that ends beside the dialog.
  fireEvent.mouseDown(screen.getByText('Розділи'), { clientX: 200, clientY: 200 })
  fireEvent.mouseUp(dialog, { clientX: 20, clientY: 200 })
  fireEvent.click(dialog, { clientX: 20, clientY: 200 })
  expect(close).not.toHaveBeenCalled()
  for (const [clientX, clientY] of [
    [99, 200],
    [501, 200],
    [200, 49],
    [200, 351],
  ])
    fireEvent.mouseDown(dialog, { clientX, clientY })
  expect(close).toHaveBeenCalledTimes(4)
})

test('the wait that covers the page stays', async () => {
  await renderUi(<FullScreenWait title="Відкриваємо замовлення…" />)
  const dialog = screen.getByRole<HTMLDialogElement>('dialog')
  expect(dialog).toHaveAttribute('closedby', 'none')
  closeAnyway(dialog)
  expect(dialog).toHaveAttribute('open')
})

function Asking() {
  const [waiting, setWaiting] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setWaiting(true)}>
        Сплатити
      </button>
      {waiting && (
        <FullScreenWait title="Створюємо замовлення…">
          <button type="button" onClick={() => setWaiting(false)}>
            Відповідь
          </button>
        </FullScreenWait>
      )}
    </>
  )
}

test('the wait that covers the page gives the focus back to what was pressed', async () => {
  const user = await renderUi(<Asking />)
  await user.click(screen.getByRole('button', { name: 'Сплатити' }))
  const answer = screen.getByRole('button', { name: 'Відповідь' })
  expect(answer).toHaveFocus()
  await user.click(answer)
  expect(screen.getByRole('button', { name: 'Сплатити' })).toHaveFocus()
})
