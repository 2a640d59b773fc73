import type { QueryClient } from '@tanstack/react-query'

import { clientsOfCodeQuery, type BookClient } from '@/api/client-search'
import { parseClientCode } from '@/lib/client-code'
import { mendName } from '@/lib/person-name'

/** The fields of a client, as a form holds them. */
export interface ClientValues {
  readonly clientName: string
  readonly clientCode: string
  readonly legalEntity: boolean
  /** The name that the notary insists on, or that is stored so already; empty where there is none. */
  readonly nameAsTyped: string
  /** The name and the code that the notary keeps beside the known ones; empty where there are none. */
  readonly keptApart: string
}

export type ClientChange = Partial<ClientValues>

/** The code as it would be sent; null where it is incomplete or wrong. */
export function wholeCode({ clientCode, legalEntity }: ClientValues): string | null {
  const read = parseClientCode(clientCode, { legalEntity })
  return read.ok ? read.value.code : null
}

/** The name as it would be stored. */
export function nameToStore({ clientName, nameAsTyped }: ClientValues): string {
  const { typed, name } = mendName(clientName)
  return nameAsTyped === clientName ? typed : name
}

/** The mark of a client whom the notary keeps beside the known ones of the same code. */
export const apartMark = (values: ClientValues) => `${wholeCode(values) ?? ''} ${nameToStore(values)}`

/** The client who is known by the typed code under another name; null where nothing is to be asked. */
export function otherName(values: ClientValues, known: readonly BookClient[] | undefined): BookClient | null {
  const name = nameToStore(values)
  if (name === '' || known === undefined || values.keptApart === apartMark(values)) return null
  return known.some(({ full_name: stored }) => stored === name) ? null : (known[0] ?? null)
}

/** The question that must be answered before a payment is added; null where there is none, or nothing is known yet. */
export function openQuestion(client: QueryClient, values: ClientValues): BookClient | null {
  const code = wholeCode(values)
  return code === null ? null : otherName(values, client.getQueryData(clientsOfCodeQuery(code).queryKey))
}
