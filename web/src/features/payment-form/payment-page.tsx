import { Trans } from '@lingui/react/macro'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { Suspense, useEffect, useState, useSyncExternalStore } from 'react'

import { lastClientQuery } from '@/api/cart'
import { paymentTypeFieldsQuery, paymentTypesQuery } from '@/api/payment-types'
import { queryClient } from '@/api/query-client'
import { requireConfig, useFreshConfig } from '@/api/use-fresh-config'
import { userQuery } from '@/api/user'
import { Failed } from '@/forms/failed'
import { draftOf } from '@/forms/draft'
import { arrivingClient, forgetArrivingClient, onArrivingClient } from '@/lib/arriving-client'
import { firstScreenIsUsable } from '@/lib/page-timing'
import { useLocale } from '@/lib/use-locale'
import { Loading } from '@/ui/spinner'

import { arrivalValues, type Arrival } from './arrival'
import { paymentDraft } from './draft'
import { firstTypeOfLastTime, keepFirstType } from './first-type'
import { RepeatNotice } from './later-parts'
import { PaymentForm } from './payment-form'
import { PaymentHeading } from './payment-heading'
import type { RepeatedPayment } from './repeat'
import { type PaymentValues, withPaymentType } from './values'

const paymentRoute = getRouteApi('/signed-in/payments/')

/** Loads what the form needs before it is drawn. */
export async function loader(): Promise<void> {
  // Of the kind that will be chosen, if the list begins as the last time.
  const first = firstTypeOfLastTime()
  if (first !== null) void queryClient.prefetchQuery(paymentTypeFieldsQuery(first))
  await Promise.all([
    queryClient.ensureQueryData(paymentTypesQuery()).then(keepFirstType),
    requireConfig(),
    queryClient.ensureQueryData(userQuery()),
    // Its notice is above the fields and would move them. The form works without it.
    queryClient.prefetchQuery(lastClientQuery()),
  ])
}

/**
 * Loads the earlier payment that is to be repeated, once: a refetch must not replace what was typed since. After a failure it is
 * loaded only on demand.
 */
function useRepeat(itemId: string | undefined, arrivalNumber: number) {
  const [taken, setTaken] = useState<{
    readonly arrivalNumber: number
    readonly repeated: RepeatedPayment
  } | null>(null)
  const repeated = taken?.arrivalNumber === arrivalNumber ? taken.repeated : null
  const query = useQuery({
    queryKey: ['repeat', itemId, arrivalNumber],
    queryFn: async () => (await import('./repeat')).loadRepeatedPayment(itemId ?? ''),
    enabled: ({ state }) => itemId !== undefined && repeated === null && state.status === 'pending',
    // Prices and accounts may have changed since it was last loaded.
    staleTime: 0,
    gcTime: 0,
  })
  if (repeated === null && query.data !== undefined) setTaken({ arrivalNumber, repeated: query.data })
  return {
    repeated,
    waiting: itemId !== undefined && repeated === null && !query.isError,
    failure: query.error,
    retry: () => void query.refetch(),
  }
}

/** A new payment: empty, for a given client, or after an earlier one. */
export default function PaymentPage() {
  const { arrival, number } = useArrival()
  const { repeated, waiting, failure, retry } = useRepeat(arrival.repeat_item_id, number)
  // The arrival whose payment is no longer in the form: its notice is hidden.
  const [left, setLeft] = useState<number | null>(null)

  return (
    <div className="flex flex-col gap-3">
      <PaymentHeading
        link={
          <Link to="/deal" className="link">
            <Trans>Розрахунок платежів</Trans>
          </Link>
        }
      />
      {failure !== null && (
        <Failed
          failure={failure}
          title={<Trans>Попередній платіж не вдалося відкрити</Trans>}
          retry={<Trans>Спробувати ще раз</Trans>}
          onRetry={retry}
        />
      )}
      {repeated !== null && left !== number && (
        <Suspense>
          <RepeatNotice changed={repeated.changed} kind={repeated.kind} />
        </Suspense>
      )}
      {waiting ? (
        <Loading />
      ) : (
        <FreshForm
          key={`${number} ${repeated === null}`}
          arrival={arrival}
          repeated={repeated}
          onEmptied={() => setLeft(number)}
        />
      )}
    </div>
  )
}

/** Returns the waiting client and the payment named in the address, and clears both at their sources. */
function useArrival(): { readonly arrival: Arrival; readonly number: number } {
  const { repeat_item_id } = paymentRoute.useSearch()
  const client = useSyncExternalStore(onArrivingClient, arrivingClient)
  const navigate = useNavigate()
  const arrival = { ...(repeat_item_id !== undefined && { repeat_item_id }), ...(client && { client }) }
  const [taken, setTaken] = useState({ arrival, number: 0 })

  // A second arrival on the open page resets the form.
  const [seen, setSeen] = useState({ client, repeat_item_id })
  if (client !== seen.client || repeat_item_id !== seen.repeat_item_id) {
    setSeen({ client, repeat_item_id })
    const isCleared =
      (client ?? seen.client) === seen.client &&
      (repeat_item_id ?? seen.repeat_item_id) === seen.repeat_item_id
    if (!isCleared) setTaken({ arrival, number: taken.number + 1 })
  }

  useEffect(() => {
    if (client !== null) forgetArrivingClient()
  }, [client])
  useEffect(() => {
    if (repeat_item_id !== undefined) void navigate({ to: '/', search: {}, replace: true })
  }, [repeat_item_id, navigate])
  return taken
}

interface FreshFormProps {
  readonly arrival: Arrival
  readonly repeated: RepeatedPayment | null
  readonly onEmptied: () => void
}

function FreshForm({ arrival, repeated, onEmptied }: FreshFormProps) {
  const locale = useLocale()
  const { data: types } = useSuspenseQuery(paymentTypesQuery())
  const config = useFreshConfig()
  // Another tab may have changed the account.
  const { data: user } = useSuspenseQuery({ ...userQuery(), refetchOnWindowFocus: 'always' })
  const [first] = types
  useEffect(() => firstScreenIsUsable('payment_form'), [])
  // Read once: the form has the values from then on.
  const [draft] = useState(() => draftOf(paymentDraft, user.id))
  // The notary's status may have changed since a draft or an earlier payment.
  const offered = (values: PaymentValues) =>
    types.some(({ id }) => id === values.paymentTypeId) ? values : withPaymentType(values, first?.id ?? '')
  const opening = arrivalValues({
    arrival,
    repeated,
    draft: draft?.values ?? null,
    user,
    firstTypeId: first?.id ?? '',
    locale,
  })
  return (
    <PaymentForm
      {...opening}
      initial={offered(opening.initial)}
      waiting={draft?.wish ?? null}
      types={types}
      user={user}
      config={config}
      onEmptied={onEmptied}
    />
  )
}
