import { cleanup, screen, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import type { UserEvent } from '@testing-library/user-event'
import { renderUi } from '@/testing/render-ui'
import { Menu } from './menu'

const chosen = vi.fn<(id: string) => void>()
let user: UserEvent

beforeEach(async () => {
  chosen.mockReset()
  user = await renderUi(
    <>
      <Menu
        label="Квитанції"
        items={['Платіж', 'Комісія', 'Усі разом'].map((label) => ({
          id: label,
          label,
          onSelect: () => chosen(label),
        }))}
      />
      <button type="button">Далі</button>
    </>,
  )
})

const button = () => screen.getByRole('button', { name: 'Квитанції' })
const item = (name: string) => screen.getByRole('menuitem', { name })

test('opens by key with the first item in focus; arrows go round, Home, End and letters jump', async () => {
  await user.tab()
  expect(button()).toHaveAttribute('aria-expanded', 'false')
  await user.keyboard('{ArrowDown}')
  expect(item('Платіж')).toHaveFocus()
  await user.keyboard('{ArrowUp}')
  expect(item('Усі разом')).toHaveFocus()
  await user.keyboard('{ArrowDown}{End}')
  expect(item('Усі разом')).toHaveFocus()
  await user.keyboard('{Home}к')
  expect(item('Комісія')).toHaveFocus()
})

test('Enter chooses, the menu closes and the focus is back on the button', async () => {
  await user.click(button())
  await user.keyboard('{ArrowDown}{Enter}')
  expect(chosen).toHaveBeenCalledExactlyOnceWith('Комісія')
  expect(screen.queryByRole('menu')).toBeNull()
  expect(button()).toHaveFocus()
})

test('Esc closes without a choice; so does leaving by Tab', async () => {
  await user.click(button())
  await user.keyboard('{Escape}')
  expect(screen.queryByRole('menu')).toBeNull()
  expect(button()).toHaveFocus()
  await user.keyboard('{Enter}')
  expect(screen.getByRole('menu')).toBeVisible()
  await user.tab()
  expect(screen.queryByRole('menu')).toBeNull()
  expect(chosen).not.toHaveBeenCalled()
})

test('the items of a group are named by it, and arrows go through all groups', async () => {
  cleanup()
  user = await renderUi(
    <Menu
      label="Вигляд"
      items={[
        { id: 'dark', group: 'Тема', label: 'Темна', checked: true, onSelect: () => chosen('dark') },
        { id: 'close', group: 'Щільність', label: 'Щільно', checked: false, onSelect: () => chosen('close') },
      ]}
    />,
  )
  await user.click(screen.getByRole('button', { name: 'Вигляд' }))
  expect(screen.getByRole('menuitemradio', { name: 'Темна' })).toHaveFocus()
  await user.keyboard('{ArrowDown}')
  const density = within(screen.getByRole('group', { name: 'Щільність' }))
  expect(density.getByRole('menuitemradio')).toHaveFocus()
  await user.keyboard('{Enter}')
  expect(chosen).toHaveBeenCalledExactlyOnceWith('close')
})
