import {
  queryOptions,
  skipToken,
  useMutation,
  useQuery,
  useQueryClient,
  type QueryClient,
} from '@tanstack/react-query'

import { api } from './client'
import { Refusal } from './failure'
import type { components } from './schema'

type Schemas = components['schemas']
export type ClientLink = Schemas['ClientLink']
export type MadeClientLink = Schemas['MadeClientLink']

const params = (id: string) => ({ params: { path: { id } } })

/** What is known of the link by which the client of an order pays. Its address is told only when it is made. */
export const loadClientLink = (orderId: string, signal: AbortSignal) =>
  api.GET('/order/{id}/client-link', { ...params(orderId), signal })

const clientLinkQuery = (orderId: string) =>
  queryOptions({
    queryKey: ['client-link', orderId],
    queryFn: ({ signal }) => loadClientLink(orderId, signal),
  })

/** The link that was made on this page: only the page remembers its address, and only until it is closed. */
const madeLinkQuery = (orderId: string) =>
  queryOptions<MadeClientLink | null>({
    queryKey: ['made-client-link', orderId],
    queryFn: skipToken,
    staleTime: Infinity,
  })

/** Makes the link of an order, in place of an earlier one, and keeps its address for this page. */
export async function makeClientLink(
  queryClient: QueryClient,
  orderId: string,
  hours: number | null,
): Promise<MadeClientLink> {
  const answer = await api.POST('/order/{id}/client-link', { ...params(orderId), body: { hours } })
  const known = clientLinkQuery(orderId)
  queryClient.setQueryData(madeLinkQuery(orderId).queryKey, answer)
  // An older answer must not overwrite it.
  void queryClient.cancelQueries({ queryKey: known.queryKey })
  queryClient.setQueryData(known.queryKey, answer.link)
  return answer
}

/** Where a link is sent: one of the two. */
export interface LinkReceiver {
  readonly phone?: string
  readonly email?: string
}

/** The link of an order and what its notary does with it. It is read once it is `wanted`. */
export function useClientLink(orderId: string, wanted: boolean) {
  const queryClient = useQueryClient()
  const known = clientLinkQuery(orderId)
  const shown = madeLinkQuery(orderId)
  const link = useQuery({ ...known, enabled: wanted })
  const made = useQuery(shown).data ?? null
  const keep = (answer: ClientLink) => {
    // An older answer must not overwrite it.
    void queryClient.cancelQueries({ queryKey: known.queryKey })
    queryClient.setQueryData(known.queryKey, answer)
  }
  const forget = () => queryClient.setQueryData(shown.queryKey, null)
  /** Without a refusal it may have been done. */
  const readWhereUnknown = (failure: Error) => {
    if (!(failure instanceof Refusal)) void queryClient.invalidateQueries({ queryKey: known.queryKey })
  }
  /** The shown address may open nothing any more. */
  const forgetWhereUnknown = (failure: Error) => {
    if (!(failure instanceof Refusal)) forget()
    readWhereUnknown(failure)
  }
  const make = useMutation({
    mutationFn: (hours: number | null) => makeClientLink(queryClient, orderId, hours),
    onMutate: () => {
      withdraw.reset()
    },
    // What was sent was the link before.
    onSuccess: () => send.reset(),
    onError: (failure) => {
      if (!(failure instanceof Refusal)) send.reset()
      forgetWhereUnknown(failure)
    },
  })
  const withdraw = useMutation({
    mutationFn: () => api.POST('/order/{id}/client-link/withdraw', params(orderId)),
    onMutate: () => {
      make.reset()
    },
    onSuccess: (answer) => {
      forget()
      keep(answer)
    },
    onError: forgetWhereUnknown,
  })
  const send = useMutation({
    mutationFn: (to: LinkReceiver & { readonly token: string }) =>
      api.POST('/order/{id}/client-link/send', { ...params(orderId), body: to }),
    onSuccess: keep,
    onError: readWhereUnknown,
  })
  const receiptMail = useReceiptMail(orderId, { onSuccess: keep, onError: readWhereUnknown })
  return { link, made, make, withdraw, send, ...receiptMail, readAnew: () => link.refetch() }
}

interface After {
  readonly onSuccess: (answer: ClientLink) => void
  readonly onError: (failure: Error) => void
}

/** Has the client's receipt sent by e-mail, or not any more. */
function useReceiptMail(orderId: string, after: After) {
  const mailReceipt = useMutation({
    /** `null`: again to the known address. */
    mutationFn: (email: string | null) =>
      api.POST('/order/{id}/receipt-mail', { ...params(orderId), body: { email } }),
    onMutate: () => {
      stopReceipt.reset()
    },
    ...after,
  })
  const stopReceipt = useMutation({
    mutationFn: () => api.POST('/order/{id}/receipt-mail/stop', params(orderId)),
    onMutate: () => {
      mailReceipt.reset()
    },
    ...after,
  })
  return { mailReceipt, stopReceipt }
}
