import { session } from './session'

/** Saves that are on their way and that a payment waits for, so that an order holds what was typed last. */
const running = new Set<Promise<unknown>>()

// A call of a notary who has signed out is never answered, and nobody else's payment waits for it.
let notaryId = session.notaryId
session.subscribe(() => {
  if (session.notaryId === notaryId) return
  notaryId = session.notaryId
  running.clear()
})

/** Counts a save as running until it ends. */
export function trackSave<Answer>(save: Promise<Answer>): Promise<Answer> {
  running.add(save)
  const forget = () => void running.delete(save)
  save.then(forget, forget)
  return save
}

/** Resolves when all running saves have ended, whether they succeeded or not. */
export const savesEnded = async (): Promise<void> => void (await Promise.allSettled(running))
