import { api } from './client'
import type { components } from './schema'

export type Repeat = components['schemas']['Repeat']

/** An earlier payment, and what of it is still available today. */
export const loadRepeat = (itemId: string) =>
  api.GET('/order/item/{id}/repeat', { params: { path: { id: itemId } } })
