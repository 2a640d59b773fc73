import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'

import type { DealParty } from '@/api/deals'

/** Who pays, as a heading names it. */
export const partyNames: Readonly<Record<DealParty, MessageDescriptor>> = {
  seller: msg`Продавець`,
  buyer: msg`Покупець`,
  donor: msg`Дарувальник`,
  donee: msg`Обдаровуваний`,
  heir: msg`Спадкоємець`,
  mortgagor: msg`Іпотекодавець`,
  tenant: msg`Набувач права користування`,
  principal: msg`Довіритель, заповідач або заявник`,
  registrant: msg`Особа, відомості про яку змінюються`,
}
