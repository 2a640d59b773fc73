import type { BookClient } from '@/api/client-search'

import type { ClientChange, ClientValues } from './client'

export interface BookPartProps {
  /** The id of the field's input. */
  readonly inputId: string
  readonly values: ClientValues
  readonly onChange: (change: ClientChange) => void
  /** Called with a client who was chosen from the list. */
  readonly onTake: (client: BookClient) => void
}
