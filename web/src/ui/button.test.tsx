import { I18nProvider } from '@lingui/react'
import { render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, test, vi } from 'vitest'
import { i18n } from '@/i18n/i18n'
import { renderUi } from '@/testing/render-ui'
import { Button } from './button'

const Surroundings = ({ children }: { readonly children: ReactNode }) => (
  <I18nProvider i18n={i18n}>{children}</I18nProvider>
)

test('a button that cannot be pressed can be reached, and says why', async () => {
  const press = vi.fn<() => void>()
  const submit = vi.fn<(event: { preventDefault: () => void }) => void>((event) => event.preventDefault())
  const user = await renderUi(
    <form onSubmit={submit}>
      <input aria-label="Код" />
      <Button type="submit" disabledReason="Код не може складатися з однакових цифр" onClick={press}>
        Додати
      </Button>
    </form>,
  )
  const button = screen.getByRole('button', { name: 'Додати' })
  expect(button).toHaveAccessibleDescription('Код не може складатися з однакових цифр')
  expect(screen.getByText('Код не може складатися з однакових цифр')).toBeVisible()
  expect(button).toHaveAttribute('aria-disabled', 'true')
  await user.click(button)
  await user.type(screen.getByLabelText('Код'), '1{Enter}')
  expect(press).not.toHaveBeenCalled()
  expect(submit).not.toHaveBeenCalled()
  await user.tab()
  expect(button).toHaveFocus()
})

test('a button at work takes no second press and keeps its name', async () => {
  const press = vi.fn<() => void>()
  const user = await renderUi(
    <Button loading onClick={press}>
      Сплатити
    </Button>,
  )
  const button = screen.getByRole('button', { name: /Сплатити/u })
  await user.click(button)
  expect(press).not.toHaveBeenCalled()
  expect(button).toHaveAttribute('aria-busy', 'true')
})

test('a button keeps the focus while its reason comes and goes', async () => {
  const { rerender } = render(<Button>Сплатити</Button>, { wrapper: Surroundings })
  const button = screen.getByRole('button', { name: 'Сплатити' })
  button.focus()
  rerender(<Button disabledReason="Зберігаємо зміни…">Сплатити</Button>)
  expect(button).toHaveFocus()
  expect(button).toHaveAccessibleDescription('Зберігаємо зміни…')
  rerender(<Button>Сплатити</Button>)
  expect(button).toHaveFocus()
  expect(button).not.toHaveAttribute('aria-describedby')
})
