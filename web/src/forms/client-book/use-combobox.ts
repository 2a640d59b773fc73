import { useEffect, useEffectEvent, useState } from 'react'

interface ComboboxOptions {
  /** The id of the input. */
  readonly inputId: string
  readonly listId: string
  /** How many lines are offered. */
  readonly count: number
  readonly onTake: (index: number) => void
  readonly onLeave: () => void
}

/** The id of a line of a list. */
export const lineId = (listId: string, index: number) => `${listId}-${index}`

/**
 * Makes an input a combobox with a list. The input is drawn before this part is loaded and keeps what is typed and the focus
 * meanwhile, so its events and attributes are added to the element.
 */
export function useCombobox({ inputId, listId, count, onTake, onLeave }: ComboboxOptions) {
  const [wanted, setWanted] = useState(false)
  const [place, setPlace] = useState(-1)
  const open = wanted && count > 0
  const active = open && place < count ? place : -1

  const show = (next: boolean) => {
    setWanted(next)
    setPlace(-1)
  }
  const keydown = (event: KeyboardEvent) => {
    if (event.isComposing) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      if (!wanted) return show(true)
      // One place more than lines: there nothing is active, and Enter adds the payment.
      if (count > 0) setPlace(((place + 1 + step + count + 1) % (count + 1)) - 1)
    } else if (event.key === 'Escape' && open) {
      event.preventDefault()
      event.stopPropagation()
      show(false)
    } else if (event.key === 'Enter' && active >= 0) {
      event.preventDefault()
      onTake(active)
      show(false)
    } else if (event.key === 'Enter') {
      onLeave()
      show(false)
    }
  }
  useInputEvents(inputId, {
    keydown,
    click: ({ target }) => {
      if (target instanceof HTMLInputElement && target.value === '') show(true)
    },
    input: () => show(true),
    blur: () => {
      show(false)
      onLeave()
    },
  })
  useInputState(inputId, listId, open, active)
  return { wanted, open, active, close: () => show(false) }
}

const inputOf = (inputId: string) => document.querySelector<HTMLInputElement>(`#${CSS.escape(inputId)}`)

type Handlers = {
  readonly [Name in 'keydown' | 'click' | 'input' | 'blur']: (event: HTMLElementEventMap[Name]) => void
}

/** Makes the input a combobox that these functions listen to. */
function useInputEvents(inputId: string, handlers: Handlers) {
  const keydown = useEffectEvent(handlers.keydown)
  const click = useEffectEvent(handlers.click)
  const type = useEffectEvent(handlers.input)
  const leave = useEffectEvent(handlers.blur)
  useEffect(() => {
    const input = inputOf(inputId)
    if (input === null) return
    const events = new AbortController()
    const { signal } = events
    input.addEventListener('keydown', keydown, { signal })
    input.addEventListener('click', click, { signal })
    input.addEventListener('input', type, { signal })
    input.addEventListener('blur', leave, { signal })
    input.setAttribute('role', 'combobox')
    input.setAttribute('aria-autocomplete', 'list')
    return () => {
      events.abort()
      for (const name of ['role', 'aria-autocomplete', 'aria-expanded', 'aria-controls'])
        input.removeAttribute(name)
    }
  }, [inputId])
}

/** Tells of the list by the attributes of the input. */
function useInputState(inputId: string, listId: string, open: boolean, active: number) {
  useEffect(() => {
    const input = inputOf(inputId)
    input?.setAttribute('aria-expanded', String(open))
    if (open) input?.setAttribute('aria-controls', listId)
    else input?.removeAttribute('aria-controls')
    if (active >= 0) input?.setAttribute('aria-activedescendant', lineId(listId, active))
    else input?.removeAttribute('aria-activedescendant')
  }, [inputId, listId, open, active])
}
