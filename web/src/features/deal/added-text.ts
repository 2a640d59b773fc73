import { plural, t } from '@lingui/core/macro'

import type { AddDealRequest } from '@/api/deals'

/** What is said of the payments that were added: how many, and for how many clients. */
export function addedText(added: number, { parties }: AddDealRequest): string {
  const clients = new Set(Object.values(parties ?? {}).map((party) => `${party?.inn} ${party?.full_name}`))
  const payments = plural(added, {
    one: '# платіж',
    few: '# платежі',
    many: '# платежів',
    other: '# платежу',
  })
  const people = plural(clients.size, {
    one: '# клієнта',
    few: '# клієнтів',
    many: '# клієнтів',
    other: '# клієнта',
  })
  return t`До кошика додано ${payments} для ${people}`
}
