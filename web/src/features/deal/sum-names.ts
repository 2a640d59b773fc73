import { msg } from '@lingui/core/macro'

import type { DealSum } from '@/api/deals'

export const sumNames = {
  price: msg`Ціна за договором`,
  valuation: msg`Оціночна вартість`,
  building_price: msg`Ціна будівлі без землі`,
  costs: msg`Підтверджені витрати на придбання`,
} satisfies Record<DealSum, unknown>
