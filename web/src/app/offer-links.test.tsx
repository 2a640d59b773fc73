import { screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadConfig } from '@/api/config'
import { session } from '@/api/session'
import { switchLocale } from '@/i18n/i18n'
import { renderGuest } from '@/testing/render-guest'
import { renderRoute } from '@/testing/render-route'
import { config as usualConfig } from '@/testing/samples'
import { answer, refuse, startServer } from '@/testing/server'

startServer()

/** The offer is a page of the cabinet, in both languages. */
const config = { ...usualConfig, offer_url: '/offer' }
const offerIn = (locale: string) => `${location.origin}/offer?language=${locale}`

beforeEach(async () => {
  answer('get', '/api/config', config)
  // Loaded once: every page of this file uses it.
  await loadConfig()
})
afterEach(async () => {
  session.close()
  await switchLocale('uk')
})

async function openSignUp() {
  const { user } = await renderGuest('/sign-up')
  return user
}

async function openNewTerms() {
  refuse('post', '/api/auth/login', 422, { message: 'user_not_agreed_with_new_terms' })
  const { user } = await renderGuest('/login')
  await user.type(await screen.findByLabelText('Номер телефону'), '0501112233{Enter}')
  await screen.findByRole('checkbox', { name: /Погоджуюся з умовами/u })
  return user
}

async function openCabinet() {
  const { user } = await renderRoute('/me', { config })
  return user
}

const footer = { uk: 'Публічна оферта', en: 'Public offer' }
const agreement = { uk: 'публічної оферти', en: 'public offer' }

test.each([
  ['the footer of the cabinet', openCabinet, footer],
  ['the footer of a guest', openSignUp, footer],
  ['the agreement of a sign-up', openSignUp, agreement],
  ['the agreement with new terms', openNewTerms, agreement],
])('%s opens the offer in the language of the page, also after a switch', async (_place, open, name) => {
  const user = await open()
  const link = (locale: 'uk' | 'en') => screen.findByRole('link', { name: name[locale] })
  expect(await link('uk')).toHaveAttribute('href', offerIn('uk'))
  await user.click(await screen.findByRole('button', { name: /^Eng/u }))
  expect(await link('en')).toHaveAttribute('href', offerIn('en'))
  // Where the first page is still loading, the switch begins its loading anew.
  await user.click(await screen.findByRole('button', { name: /^Укр/u }))
  expect(await link('uk')).toHaveAttribute('href', offerIn('uk'))
})
