import type { Config } from '@/api/config'

import { usePreloadedParts } from '../later-parts'
import { usePaymentLists } from '../lists'
import { useAskingPress } from '../use-asking-press'
import { usePrice } from '../use-price'
import { useEditing, type EditingOptions } from './use-editing'

export interface ItemFormOptions extends EditingOptions {
  readonly config: Config
}

/** The state of the form of an item of the cart, and what its buttons do. */
export function useItemForm(options: ItemFormOptions) {
  const { form, kind, ...editing } = useEditing(options)
  const { values } = form
  usePreloadedParts()
  const lists = usePaymentLists(kind, values)
  const template = lists.templates.entries.find(({ id }) => id === values.templateId)
  const price = usePrice(kind, values, lists, options.config)
  const { asked, press, answered } = useAskingPress(values, (overwrites: boolean) =>
    editing.save(price, overwrites),
  )
  return {
    form,
    kind,
    lists,
    template,
    price,
    asked,
    ...editing,
    /** Saves the payment at the shown price, unless something must be asked about its client. */
    save: (overwrites = false) => press(overwrites),
    answered,
    /** Saves the payment at the server's new price. */
    saveAt: editing.save,
  }
}
