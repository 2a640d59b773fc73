import { expect, test } from 'vitest'
import { NetworkFailure } from '@/api/failure'
import { page, type PageModule } from './page'

const away = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module'))
const module: PageModule<unknown> = { default: () => null }
const words = () => Promise.resolve({ messages: {} })

test.each([
  ['the page', away, words],
  ['its words', () => Promise.resolve(module), away],
])(
  '%s that did not come are a connection that is gone, and no fault of the page',
  async (_, load, catalog) => {
    const { loader } = page(load, { uk: catalog, en: catalog })
    await expect(loader({})).rejects.toBeInstanceOf(NetworkFailure)
  },
)
