import type {
  OptionTerm,
  PaymentTypeOption,
  Region,
  Requisite,
  RequisitesTemplate,
} from '@/api/payment-types'

/** A list for a select, and the state of its loading. */
export interface List<Entry> {
  readonly entries: readonly Entry[]
  readonly loading: boolean
  /** Null unless the last try has failed and none is under way. */
  readonly failure: Error | null
  /** Another try after a failure is under way. */
  readonly retrying: boolean
  readonly retry: () => void
}

export interface PaymentLists {
  readonly options: List<PaymentTypeOption>
  readonly regions: List<Region>
  readonly terms: List<OptionTerm>
  readonly requisites: List<Requisite>
  readonly templates: List<RequisitesTemplate>
}
