import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

import type { Config } from '@/api/config'

import { lateQuestion, usePreloadedParts } from '../later-parts'
import { usePaymentLists } from '../lists'
import { usePrice } from '../use-price'
import { useEditing, type EditingOptions } from './use-editing'

export interface ItemFormOptions extends EditingOptions {
  readonly config: Config
}

/** The state of the form of an item of the cart, and what its buttons do. */
export function useItemForm(options: ItemFormOptions) {
  const queryClient = useQueryClient()
  // How often saving was stopped by a question about the client.
  const [asked, setAsked] = useState(0)
  const { form, kind, ...editing } = useEditing(options)
  const { values } = form
  usePreloadedParts()
  const lists = usePaymentLists(kind, values)
  const template = lists.templates.entries.find(({ id }) => id === values.templateId)
  const price = usePrice(kind, values, lists, options.config)
  return {
    form,
    kind,
    lists,
    template,
    price,
    asked,
    ...editing,
    /** Saves the payment at the shown price, unless something must be asked about its client. */
    save: (overwrites = false) => {
      if (lateQuestion()?.(queryClient, values)) setAsked(asked + 1)
      else editing.save(price, overwrites)
    },
    /** Saves the payment at the server's new price. */
    saveAt: editing.save,
  }
}
