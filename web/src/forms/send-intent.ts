import { isDefinite } from '@/api/definite'
import { Refusal } from '@/api/failure'

import { addIntentOf, type AddIntent } from './add-intent'

/**
 * Sends a request with the key of its intent, and keeps the intent while its request has no answer: what it asks for may be in the
 * cart. A refusal settles its own press, and an earlier one only where it is definite and of the same key.
 */
export async function sendIntent<Body extends object, Answer>(
  body: Body,
  waiting: AddIntent | null,
  keep: (intent: AddIntent | null) => void,
  send: (body: Body, key: string) => Promise<Answer>,
): Promise<Answer> {
  const asked = addIntentOf(body, waiting)
  keep(asked)
  try {
    return await send(body, asked.key)
  } catch (failure) {
    // The form may have been emptied meanwhile, and with it the intent.
    if (!(failure instanceof Refusal)) keep(asked)
    else keep(isDefinite(failure) && asked === waiting ? null : waiting)
    throw failure
  }
}
