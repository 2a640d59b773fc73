import { fireEvent, screen } from '@testing-library/react'

/** Opens the order in the archive; the pages of an order show it at once. */
export async function openRow(path: string): Promise<void> {
  if (path === '/archive')
    fireEvent.click(await screen.findByRole('button', { name: /^Подробиці замовлення/u }))
}
