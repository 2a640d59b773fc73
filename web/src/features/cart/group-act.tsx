import { useQueryClient } from '@tanstack/react-query'

import type { CartGroup } from '@/api/cart'
import { saveCartAct } from '@/api/notarial-act'
import { trackSave } from '@/api/running-saves'
import { userQuery } from '@/api/user'
import { loadActPart } from '@/forms/order-file/load'

/** Loads the notarial act of a client's payments, which the cart can be shown without. */
export async function load() {
  const ActPart = await loadActPart()
  return function GroupAct({
    group: { client, act, items },
  }: {
    readonly group: Pick<CartGroup, 'client' | 'act'> & { readonly items: readonly { readonly id: string }[] }
  }) {
    const owner = useQueryClient().getQueryData(userQuery().queryKey)?.id ?? null
    return (
      <ActPart
        id={client.id}
        owner={owner}
        client={client.full_name}
        act={act}
        items={items.map((item) => item.id).join(' ')}
        save={(typed) => saveCartAct(client.id, typed)}
        track={trackSave}
      />
    )
  }
}
