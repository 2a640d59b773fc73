/** A browser with passkeys, for tests: it answers as the test wants, and tells what it was asked. */
import { onTestFinished, vi } from 'vitest'

/** What the browser answers, in the form of its `toJSON`. */
type Answer = (asked: unknown) => Promise<unknown>

export interface AskedBrowser {
  readonly create: ReturnType<typeof vi.fn<Answer>>
  readonly get: ReturnType<typeof vi.fn<Answer>>
}

/** Gives the browser passkeys until the end of the test. */
export function haveAuthenticator(): AskedBrowser {
  class Key {
    static readonly parseCreationOptionsFromJSON = (options: unknown) => options
    static readonly parseRequestOptionsFromJSON = (options: unknown) => options
    readonly #json: unknown
    constructor(json: unknown) {
      this.#json = json
    }
    toJSON() {
      return this.#json
    }
  }
  const [create, get] = [vi.fn<Answer>(), vi.fn<Answer>()]
  vi.stubGlobal('PublicKeyCredential', Key)
  Object.defineProperty(navigator, 'credentials', {
    configurable: true,
    value: {
      create: async (asked: unknown) => new Key(await create(asked)),
      get: async (asked: unknown) => new Key(await get(asked)),
    },
  })
  onTestFinished(() => {
    vi.unstubAllGlobals()
    Reflect.deleteProperty(navigator, 'credentials')
  })
  return { create, get }
}
