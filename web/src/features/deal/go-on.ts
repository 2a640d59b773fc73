import { useEffect, useRef, type KeyboardEvent } from 'react'

/** Whether a control holds nothing yet: a text field without text, a list without a choice, a question without an answer. */
function isEmpty(control: Element, form: HTMLFormElement): boolean {
  if (control instanceof HTMLSelectElement) return control.value === ''
  if (!(control instanceof HTMLInputElement)) return false
  if (control.type !== 'radio') return control.value.trim() === ''
  return form.querySelector(`input[name="${CSS.escape(control.name)}"]:checked`) === null
}

/** Whether a control is among what most deals don't have, which is passed by. */
const isFolded = (control: Element) => control.closest('details') !== null

/** Returns the next control after one that holds nothing yet. */
function nextEmpty(form: HTMLFormElement, after: Element): HTMLElement | null {
  const controls = [...form.querySelectorAll<HTMLElement>('input:not(:disabled), select:not(:disabled)')]
  const rest = controls.slice(controls.indexOf(after as HTMLElement) + 1).filter((one) => !isFolded(one))
  const ownGroup = after instanceof HTMLInputElement && after.type === 'radio' ? after.name : null
  const isOfOwnGroup = (control: Element) => ownGroup !== null && control.getAttribute('name') === ownGroup
  return rest.find((control) => !isOfOwnGroup(control) && isEmpty(control, form)) ?? null
}

/**
 * Enter in a field goes on to the next one that is still empty, and sends the form where there is none. While the payments are being
 * calculated nobody knows which fields there will be: Enter then goes on once they are known.
 */
export function useEnter(waiting: boolean): (event: KeyboardEvent<HTMLFormElement>) => void {
  const left = useRef<HTMLInputElement | null>(null)
  useEffect(() => {
    const from = left.current
    if (waiting || from === null) return
    left.current = null
    if (document.activeElement === from && from.form !== null) nextEmpty(from.form, from)?.focus()
  }, [waiting])
  return (event) => {
    const { key, target, currentTarget, nativeEvent, defaultPrevented } = event
    // A list of clients has taken it.
    if (
      key !== 'Enter' ||
      defaultPrevented ||
      nativeEvent.isComposing ||
      !(target instanceof HTMLInputElement)
    )
      return
    const next = nextEmpty(currentTarget, target)
    if (next === null && !waiting) return
    event.preventDefault()
    if (next === null) left.current = target
    else next.focus()
  }
}
