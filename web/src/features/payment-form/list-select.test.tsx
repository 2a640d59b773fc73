import { screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'

import { NetworkFailure } from '@/api/failure'
import { renderUi } from '@/testing/render-ui'

import { ListSelect } from './list-select'

const failed = { entries: [], loading: false, failure: new NetworkFailure(), retrying: false }
const retrying = { entries: [], loading: false, failure: null, retrying: true }
const come = { entries: ['Київ'], loading: false, failure: null, retrying: false }

function Form() {
  const [list, setList] = useState<typeof failed | typeof retrying | typeof come>(failed)
  return (
    <>
      <ListSelect
        label="Регіон"
        list={{ ...list, retry: () => setList(retrying) }}
        toOption={(name: string) => ({ value: name, label: name })}
        value=""
        onValueChange={vi.fn<(value: string) => void>()}
      />
      <input aria-label="Сума" onInput={() => setList(come)} />
    </>
  )
}

test('a list that has come leaves the focus to whoever has gone on meanwhile', async () => {
  const user = await renderUi(<Form />)
  await user.click(screen.getByRole('button', { name: 'Спробувати ще раз' }))
  await user.type(screen.getByLabelText('Сума'), '1')
  expect(screen.getByRole('option', { name: 'Київ' })).toBeInTheDocument()
  expect(screen.getByLabelText('Сума')).toHaveFocus()
})
