import { msg } from '@lingui/core/macro'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { NetworkFailure } from '@/api/failure'
import { currentLocale, i18n, loadCatalog, storedLocale, switchLocale, type Catalog } from './i18n'

const greeting = { ...msg({ id: 'test.greeting', message: 'Вітаю' }) }

/** A catalogue whose files are loaded when the test allows it. */
function slowCatalog(): Catalog & { readonly arrive: () => void } {
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>()
  const file = (text: string) => async () => {
    await arrived
    return { messages: { 'test.greeting': text } }
  }
  return { uk: file('Вітаю'), en: file('Welcome'), arrive }
}

beforeEach(() => switchLocale('uk'))

test('the language is Ukrainian until another is chosen, and the choice outlasts the visit', async () => {
  localStorage.clear()
  expect(storedLocale()).toBe('uk')
  await switchLocale('en')
  expect(storedLocale()).toBe('en')
  expect(document.documentElement.lang).toBe('en')
})

test('a choice outlasts a reload before its messages have come', async () => {
  const catalog = slowCatalog()
  const loading = loadCatalog(catalog)
  const switching = switchLocale('en')
  expect(storedLocale()).toBe('en')
  catalog.arrive()
  await Promise.all([loading, switching])
  expect(storedLocale()).toBe('en')
})

test('a choice whose messages can’t be loaded is not kept', async () => {
  let down = true
  const catalog: Catalog = {
    uk: async () => ({ messages: {} }),
    en: async () => {
      if (down) throw new Error('The line is down.')
      return { messages: {} }
    },
  }
  await loadCatalog(catalog)
  await expect(switchLocale('en')).rejects.toThrow(NetworkFailure)
  expect(storedLocale()).toBe('uk')
  expect(currentLocale()).toBe('uk')
  down = false
  await switchLocale('en')
  expect(storedLocale()).toBe('en')
})

test('a switch loads every catalogue in use in the new language', async () => {
  const catalog = slowCatalog()
  catalog.arrive()
  await loadCatalog(catalog)
  expect(i18n._(greeting)).toBe('Вітаю')
  await switchLocale('en')
  expect(i18n._(greeting)).toBe('Welcome')
})

test('a catalogue that was on its way during a switch comes in the new language, too', async () => {
  const catalog = slowCatalog()
  const loading = loadCatalog(catalog)
  const switching = switchLocale('en')
  catalog.arrive()
  await Promise.all([loading, switching])
  expect(i18n._(greeting)).toBe('Welcome')
})

test('two pages that ask for the same catalogue both wait until it is there', async () => {
  const catalog = slowCatalog()
  void loadCatalog(catalog)
  const second = loadCatalog(catalog).then(() => i18n._(greeting))
  catalog.arrive()
  await expect(second).resolves.toBe('Вітаю')
})

test('of two quick switches the later one counts', async () => {
  await Promise.all([switchLocale('en'), switchLocale('uk')])
  expect(currentLocale()).toBe('uk')
  expect(i18n.locale).toBe('uk')
})

test('messages that come later are there, and nothing that is drawn is drawn anew', async () => {
  const drawnAnew = vi.fn<() => void>()
  onTestFinished(i18n.on('change', drawnAnew))
  await loadCatalog({
    uk: async () => ({ messages: { 'test.later': 'Пізніше' } }),
    en: async () => ({ messages: { 'test.later': 'Later' } }),
  })
  expect(i18n._({ ...msg({ id: 'test.later', message: 'later' }) })).toBe('Пізніше')
  expect(drawnAnew).not.toHaveBeenCalled()
  await switchLocale('en')
  expect(i18n._({ ...msg({ id: 'test.later', message: 'later' }) })).toBe('Later')
  expect(drawnAnew).toHaveBeenCalled()
})
