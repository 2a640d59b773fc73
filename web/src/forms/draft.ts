/**
 * Drafts: values that were typed into a form and not sent. A draft outlasts its form and belongs to one person. Signing out
 * deletes all drafts, so that the next person at the computer sees nothing of them (decisions 12 and 19).
 */
import { useEffect } from 'react'
import { session } from '@/api/session'
import { askBeforeLeaving } from '@/lib/ask-before-leaving'
import { forgetInTab, forgetOthersInTab, keepInTab, keptInTab, storedNames } from '@/lib/tab-storage'

/** Names a draft and the type of its values. */
export interface DraftKey<Values> {
  readonly name: string
  /**
   * Parses a value of the storage of the tab, or returns null. Without this function the draft is kept in the memory of the page
   * only. With it, the name begins with `draft`.
   */
  readonly read?: (stored: unknown) => Values | null
  /** The browser asks before a reload or a closed tab loses the draft. */
  readonly asksBeforeLeaving: boolean
}

/** The owner of drafts without a session. */
export const GUEST = null

/** The id of the notary. */
type Owner = string | typeof GUEST

const memory = new Map<string, { readonly owner: Owner; readonly values: unknown }>()

let departures = 0

/** The notary has signed out. The forms are mounted for a moment longer and must not store anything. */
let hasLeft = false

session.subscribe(({ status }, end) => {
  if (end === 'signed-out') {
    hasLeft = true
    departures += 1
    memory.clear()
  }
  if (status === 'signed-in') {
    hasLeft = false
    for (const [name, { owner }] of memory) if (owner === GUEST) memory.delete(name)
  }
})

/** The number of times that somebody signed out on this page. An undo is valid only while it stays the same. */
export function departuresSoFar(): number {
  return departures
}

/** Returns the draft of this owner, or null. Another owner's is forgotten. */
export function draftOf<Values>(key: DraftKey<Values>, owner: Owner): Values | null {
  const kept = memory.get(key.name)
  if (kept?.owner === owner) return kept.values as Values
  memory.delete(key.name)
  const stored = key.read === undefined || owner === GUEST ? null : keptInTab(key.name, owner)
  if (stored === null) return null
  const values = key.read?.(stored) ?? null
  if (values === null) forgetInTab(key.name)
  return values
}

/** Whether the owner has a draft of this name, without reading its values. */
export function isBegun(name: string, owner: string): boolean {
  return memory.get(name)?.owner === owner || keptInTab(name, owner) !== null
}

/** Whether signing out would delete a draft. Those of others were forgotten when the page opened. */
export function hasDrafts(): boolean {
  return memory.size > 0 || storedNames().some((name) => name.startsWith('draft'))
}

/** Keeps a draft. Returns whether it outlasts a reload. */
export function keepDraft<Values>(key: DraftKey<Values>, owner: Owner, values: Values): boolean {
  const isStored = key.read !== undefined && owner !== GUEST && keepInTab(key.name, owner, values)
  if (isStored) memory.delete(key.name)
  else memory.set(key.name, { owner, values })
  return isStored
}

/** Forgets what everybody but this notary, for whom a page has opened, has typed in this tab. */
export function forgetTypedByOthers(notaryId: string): void {
  for (const [name, { owner }] of memory) if (owner !== notaryId) memory.delete(name)
  forgetOthersInTab(notaryId)
}

/** Moves a draft in the memory of the page to another name. Returns whether there is one. */
export function renameDraft(name: string, next: string): boolean {
  const kept = memory.get(name)
  if (kept === undefined) return false
  memory.delete(name)
  memory.set(next, kept)
  return true
}

export function forgetDraft<Values>(key: DraftKey<Values>): void {
  memory.delete(key.name)
  if (key.read !== undefined) forgetInTab(key.name)
}

/**
 * Keeps the values at every change, since a session may end at any time; null forgets the draft. The object must stay the same
 * while its values do.
 */
export function useDraft<Values>(key: DraftKey<Values>, owner: Owner, values: Values | null): void {
  useEffect(() => {
    if (hasLeft && owner !== GUEST) return undefined
    if (values === null) {
      forgetDraft(key)
      return undefined
    }
    const outlastsReload = keepDraft(key, owner, values)
    return key.asksBeforeLeaving && !outlastsReload ? askBeforeLeaving() : undefined
  }, [key, owner, values])
}
