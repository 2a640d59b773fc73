import { Trans } from '@lingui/react/macro'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'

import { loadItem, type EditableItem } from '@/api/edit-item'
import { Refusal } from '@/api/failure'
import { paymentTypesQuery } from '@/api/payment-types'
import { queryClient } from '@/api/query-client'
import { requireConfig, useFreshConfig } from '@/api/use-fresh-config'
import { userQuery, type User } from '@/api/user'
import { draftOf, forgetDraft, type DraftKey } from '@/forms/draft'
import { Failed } from '@/forms/failed'
import { accountTexts } from '@/i18n/accounts/catalog'
import { loadCatalog, type Catalog } from '@/i18n/i18n'
import { useLocale } from '@/lib/use-locale'
import { focusHeading } from '@/ui/focus-heading'
import { PageHeading } from '@/ui/page-heading'
import { Loading } from '@/ui/spinner'

import { withPaymentType } from '../values'
import { itemDraft, type ItemDraft } from './draft'
import { EditForm } from './edit-form'
import { GoneNotice } from './edit-notices'
import { changeOfItem, valuesOfItem } from './values-of-item'

const itemRoute = getRouteApi('/signed-in/cart/item/$id')

const texts: Catalog = {
  uk: () => import('./locales/uk.po'),
  en: () => import('./locales/en.po'),
}

/** Loads what the form needs before it is drawn, and the texts that the page of a new payment loads later. */
export async function loader(): Promise<void> {
  await Promise.all([
    queryClient.ensureQueryData(paymentTypesQuery()),
    requireConfig(),
    queryClient.ensureQueryData(userQuery()),
    loadCatalog(texts),
    loadCatalog(accountTexts),
  ])
}

/** A payment of the cart, which comes back changed. */
export default function EditPage() {
  const { id } = itemRoute.useParams()
  const { data: user } = useSuspenseQuery(userQuery())
  return (
    <div className="flex flex-col gap-6">
      <PageHeading
        lead={
          <Trans>
            Платіж залишиться в кошику. Якщо змінити клієнта, платіж перейде до платежів цього клієнта.
          </Trans>
        }
      >
        <Trans>Зміна платежу</Trans>
      </PageHeading>
      <Item key={`${user.id} ${id}`} itemId={id} user={user} />
    </div>
  )
}

/** Reads the item once: a later answer must not replace what was typed since. */
function useItem(itemId: string) {
  return useQuery({
    queryKey: ['edited-item', itemId],
    queryFn: () => loadItem(itemId),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
}

const isGone = (failure: Error | null) =>
  failure instanceof Refusal && (failure.key === 'cart_item_gone' || failure.key === 'cart_item_not_found')

function Item({ itemId, user }: { readonly itemId: string; readonly user: User }) {
  const [draftKey] = useState(() => itemDraft(itemId))
  // How often the item was read again.
  const [turn, setTurn] = useState(0)
  const { data: opened, error, refetch, isFetching } = useItem(itemId)

  async function reopen() {
    const again = await refetch()
    if (again.data === undefined || again.isError) return
    forgetDraft(draftKey)
    setTurn(turn + 1)
    focusHeading()
  }

  if (isGone(error)) return <GoneItem draftKey={draftKey} notaryId={user.id} />
  if (opened === undefined) {
    if (error === null || isFetching) return <Loading />
    return (
      <Failed
        failure={error}
        title={<Trans>Платіж не вдалося відкрити</Trans>}
        retry={<Trans>Спробувати ще раз</Trans>}
        onRetry={() => void refetch()}
      />
    )
  }
  return (
    <OpenedItem
      key={turn}
      itemId={itemId}
      opened={opened}
      draftKey={draftKey}
      user={user}
      reopening={isFetching}
      reopenFailure={error}
      onReopen={() => void reopen()}
    />
  )
}

interface GoneItemProps {
  readonly draftKey: DraftKey<ItemDraft>
  readonly notaryId: string
}

/** In place of the form of an item that has left the cart. */
function GoneItem({ draftKey, notaryId }: GoneItemProps) {
  const [draft] = useState(() => draftOf(draftKey, notaryId))
  return (
    <GoneNotice notaryId={notaryId} typed={draft?.values ?? null} onTaken={() => forgetDraft(draftKey)} />
  )
}

interface OpenedItemProps {
  readonly itemId: string
  readonly opened: EditableItem
  readonly draftKey: DraftKey<ItemDraft>
  readonly user: User
  readonly reopening: boolean
  readonly reopenFailure: Error | null
  readonly onReopen: () => void
}

function OpenedItem({ opened: latest, ...props }: OpenedItemProps) {
  const locale = useLocale()
  const { data: types } = useSuspenseQuery(paymentTypesQuery())
  const config = useFreshConfig()
  // Read once: the form has the values from then on.
  const [opened] = useState(latest)
  const [draft] = useState(() => draftOf(props.draftKey, props.user.id))
  const [inCart] = useState(() => {
    const values = valuesOfItem(opened, props.user, locale)
    // The notary's status may have changed since the payment was added.
    const isOffered = types.some(({ id }) => id === values.paymentTypeId)
    return isOffered ? values : withPaymentType(values, types[0]?.id ?? '')
  })
  return (
    <EditForm
      {...props}
      draft={draft}
      version={opened.version}
      inCart={inCart}
      count={opened.item.count}
      changed={changeOfItem(opened)}
      types={types}
      config={config}
    />
  )
}
