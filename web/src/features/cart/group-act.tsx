import { useQueryClient } from '@tanstack/react-query'

import type { CartGroup } from '@/api/cart'
import { saveCartAct } from '@/api/notarial-act'
import { userQuery } from '@/api/user'
import { loadActPart } from '@/forms/order-file/load'

/** Loads the notarial act of a client's payments, which the cart can be shown without. */
export async function load() {
  const ActPart = await loadActPart()
  return function GroupAct({
    group: { client, act },
  }: {
    readonly group: Pick<CartGroup, 'client' | 'act'>
  }) {
    const owner = useQueryClient().getQueryData(userQuery().queryKey)?.id ?? null
    return <ActPart id={client.id} owner={owner} act={act} save={(typed) => saveCartAct(client.id, typed)} />
  }
}
