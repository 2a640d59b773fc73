/** Where the palette looks: pages, clients of the address book, and orders. */
import { useLingui } from '@lingui/react/macro'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'

import { offeredClientsQuery } from '@/api/client-search'
import { loadOrders } from '@/api/orders'
import { keepArrivingClient } from '@/lib/arriving-client'
import { orderLook } from '@/lib/order-status'

import { letterOf, places } from './places'

export interface Found {
  readonly id: string
  readonly text: string
  /** A quieter text beside it. */
  readonly aside: string
  readonly go: () => void
}

export interface Source {
  readonly id: string
  readonly name: string
  readonly found: readonly Found[]
  readonly isBusy: boolean
  readonly failure: Error | null
}

/** Clients and orders are looked for from so many characters on. */
const TEXT_MIN = 2
const CLIENTS_MAX = 4
const ORDERS_MAX = 6

function usePlaces(text: string): Source {
  const { t, i18n } = useLingui()
  const navigate = useNavigate()
  const wanted = text.normalize('NFC').toLocaleLowerCase()
  // What is paid there, by the names of the law.
  const kinds = t`державне мито, адміністративний збір, плата за користування реєстрами, податки`
  const found = places
    .map(({ to, code, name }) => ({
      id: `page-${to}`,
      text: i18n._(name),
      aside: code === undefined ? '' : letterOf(code),
      go: () => void navigate({ to }),
    }))
    .filter(
      ({ id, text: name }) =>
        name.toLocaleLowerCase().includes(wanted) ||
        // By the beginning of a word: what is inside of one may be a client's name.
        (id === 'page-/' && ` ${kinds}`.toLocaleLowerCase().includes(` ${wanted}`)),
    )
  return { id: 'pages', name: t`Сторінки`, found, isBusy: false, failure: null }
}

function useClients(text: string): Source {
  const { t } = useLingui()
  const navigate = useNavigate()
  const isWanted = text.length >= TEXT_MIN
  const { data, error, isFetching } = useQuery({
    ...offeredClientsQuery(text),
    enabled: isWanted,
    placeholderData: keepPreviousData,
    gcTime: 0,
  })
  const clients = isWanted && error === null ? (data ?? []) : []
  const found = clients.slice(0, CLIENTS_MAX).map(({ id, full_name: name, inn }) => ({
    id: `client-${id}`,
    text: name,
    aside: inn,
    // A name and a code must not stand in an address.
    go: () => {
      keepArrivingClient({ inn, full_name: name })
      void navigate({ to: '/' })
    },
  }))
  return {
    id: 'clients',
    name: t`Новий платіж за клієнта`,
    found,
    isBusy: isFetching,
    failure: isWanted ? error : null,
  }
}

function useOrders(text: string): Source {
  const { t, i18n } = useLingui()
  const navigate = useNavigate()
  const isWanted = text.length >= TEXT_MIN
  const { data, error, isFetching } = useQuery({
    queryKey: ['palette orders', text],
    queryFn: ({ signal }) => loadOrders({ text }, null, signal),
    enabled: isWanted,
    placeholderData: keepPreviousData,
    // What was typed may be a name or a code: it is not kept.
    gcTime: 0,
  })
  const orders = isWanted && error === null ? (data?.orders ?? []) : []
  const found = orders.slice(0, ORDERS_MAX).map((order) => ({
    id: `order-${order.id}`,
    text: `№ ${order.number} ${order.client.full_name}`,
    aside: i18n._(orderLook(order).text),
    go: () => void navigate({ to: '/order/$id', params: { id: order.id } }),
  }))
  return {
    id: 'orders',
    name: t`Знайдені замовлення`,
    found,
    isBusy: isFetching,
    failure: isWanted ? error : null,
  }
}

/** What a text finds, in groups. */
export function useSources(text: string): readonly Source[] {
  return [usePlaces(text), useClients(text), useOrders(text)]
}
