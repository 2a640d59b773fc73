import { Trans } from '@lingui/react/macro'
import { I18nProvider } from '@lingui/react'
import { render } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { i18n, switchLocale } from '@/i18n/i18n'
import { kopiykas } from '@/lib/money'
import { Button } from '@/ui/button'
import { StatusMark } from '@/ui/status-mark'
import { Sum } from '@/ui/sum'
import { showChangedTexts } from './untranslated'

let end: () => void

beforeEach(async () => {
  await switchLocale('uk')
  end = showChangedTexts(document.body)
})
afterEach(() => end())

/** Replaces each text as the translators of browsers do; `inTwoSteps`: the translation comes before the text goes. */
function translate(root: HTMLElement, inTwoSteps: boolean) {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  const texts: Text[] = []
  while (walker.nextNode()) texts.push(walker.currentNode as Text)
  for (const text of texts) {
    const translation = document.createElement('font')
    translation.append(`[${text.data}]`)
    if (inTwoSteps) {
      text.before(translation)
      text.remove()
    } else text.replaceWith(translation)
  }
}

interface PageProps {
  readonly sum: number
  readonly status: string
  readonly client: string
  readonly note?: string
}

function Page({ sum, status, client, note }: PageProps) {
  return (
    <I18nProvider i18n={i18n}>
      <Sum value={kopiykas(sum)} size="big" />
      <StatusMark tone="waiting">{status}</StatusMark>
      <Button>
        <Trans>
          Сплатити {sum} – {client}
        </Trans>
      </Button>
      <p>
        {note}
        {client}, {status}
        {sum > 100 && ' +'}
        <b>{client}</b>
      </p>
    </I18nProvider>
  )
}

const textOf = ({ textContent }: HTMLElement) => textContent

test.each([true, false])(
  'a changed sum, status and name are shown on a translated page (%s)',
  async (steps) => {
    const before = { sum: 11_000, status: 'Очікує оплати', client: 'Шевченко' }
    const after = { sum: 123_456, status: 'Сплачено', client: 'Коваль' }
    const { container, rerender } = render(<Page {...before} />)
    const fresh = render(<Page {...after} />)
    translate(container, steps)
    await Promise.resolve()
    expect(textOf(container)).toContain('[Очікує оплати]')
    rerender(<Page {...after} />)
    await Promise.resolve()
    expect(textOf(container)).not.toContain('Шевченко')
    expect(textOf(container).replaceAll(/[[\]]/gu, '')).toBe(textOf(fresh.container))
    // Translated again, and changed again.
    translate(container, !steps)
    await Promise.resolve()
    rerender(<Page {...before} />)
    await Promise.resolve()
    expect(textOf(container)).not.toContain('Коваль')
    expect(textOf(container)).toContain('110,00')
  },
)

test('texts come and go on a translated page', async () => {
  const { container, rerender } = render(<Page sum={200} status="Сплачено" client="Коваль" note="Увага" />)
  translate(container, false)
  await Promise.resolve()
  rerender(<Page sum={100} status="Сплачено" client="Коваль" />)
  expect(textOf(container)).not.toContain('Увага')
  expect(textOf(container)).not.toContain('+')
  rerender(<Page sum={200} status="Повернено" client="Коваль" note="Перевірте" />)
  await Promise.resolve()
  expect(textOf(container)).toContain('Перевірте')
  expect(textOf(container)).toContain('Повернено')
})
