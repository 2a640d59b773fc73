import type { Mask } from './masks'

interface Change {
  readonly currentTarget: HTMLInputElement
  readonly nativeEvent: Event
}

/**
 * Formats the text of an input in its change handler and returns it. The caret is set behind the typed or pasted text, or to the
 * place of a deletion.
 */
export function applyMask({ currentTarget: input, nativeEvent }: Change, mask: Mask, before: string): string {
  const text = input.value
  const formatted = mask.format(text, before)
  // The caret is where the browser has put it.
  if (formatted === text) return text
  const place = input.selectionEnd ?? text.length
  // The Delete key removed a separator, which the mask has restored. The caret moves behind it; otherwise Delete would have no
  // effect.
  const isStopped = formatted === before && isDeletingForward(nativeEvent)
  const caret = isStopped ? place + 1 : caretIn(mask, formatted, text.slice(0, place), text.slice(place))
  input.value = formatted
  input.setSelectionRange(caret, caret)
  return formatted
}

function isDeletingForward(event: Event): boolean {
  return 'inputType' in event && event.inputType === 'deleteContentForward'
}

function caretIn(mask: Mask, formatted: string, head: string, tail: string): number {
  if (tail === '') return formatted.length
  return mask.caretIn?.(formatted, head, tail) ?? mask.format(head, '').length
}
