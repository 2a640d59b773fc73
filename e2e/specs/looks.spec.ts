import type { BrowserContext, Page } from '@playwright/test'
import { expectAccessible, expectFocusSeen, expectNoSidewaysScroll } from '../support/accessibility.ts'
import { expectBoxes } from '../support/boxes.ts'
import type { Cabinet } from '../support/cabinet.ts'
import { CLIENT, invoiceOf, Notary } from '../support/notary.ts'
import { NO_PAGE, NOTARY_PATHS } from '../support/pages.ts'
import { textOfPdf } from '../support/pdf.ts'
import { PEOPLE } from '../support/people.ts'
import { CARDS } from '../support/sandbox.ts'
import { headingOf, Screens, speak } from '../support/screens.ts'
import { expect, testWithCabinet } from '../support/test.ts'
import { LANGUAGES, sumPattern } from '../support/words.ts'

const test = testWithCabinet('looks')
const THEMES = ['light', 'dark'] as const

/** Makes a notary with a full cart and with one order for each result page. Returns all addresses of a signed-in notary. */
async function furnished(context: BrowserContext, cabinet: Cabinet): Promise<string[]> {
  const notary = await Notary.signUp(context, cabinet)
  const paid = await notary.paidOrder('admin_payment', CARDS.pays)
  await notary.addToCart('registry_payment')
  const waiting = await notary.orderCart()
  await notary.addToCart('requisites_payment')
  await notary.addToCart('admin_payment')
  return [...NOTARY_PATHS, `/order/${paid.id}/success`, `/order/${waiting.id}/pending`, NO_PAGE]
}

/** Opens a page and waits for its content. */
async function open(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await expect(headingOf(page)).toBeVisible()
  await expect(page.getByRole('main').getByRole('progressbar')).toHaveCount(0)
}

/** All visible controls of the page. Links inside a sentence are left out, since they have its height. */
function controls(
  page: Page,
): Promise<{ name: string; x: number; y: number; width: number; height: number }[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('a[href], button, input, select, textarea, summary')]
      .filter((control) => control.closest('p, dd, li > span') === null && control.checkVisibility())
      .map((control) => {
        // A checkbox is small, but its label belongs to it and can be clicked, too.
        const target = control.matches('[type=checkbox], [type=radio]')
          ? (control.closest('label') ?? control)
          : control
        const { x, y, width, height } = target.getBoundingClientRect()
        return { name: control.getAttribute('aria-label') ?? control.textContent.trim(), x, y, width, height }
      })
      .filter(({ width, height }) => width > 1 && height > 1),
  )
}

for (const width of [1280, 320]) {
  test(`every control of the cart is large enough to be hit, and none lies on another, at ${width} px`, async ({
    page,
    context,
    cabinet,
  }) => {
    const notary = await Notary.signUp(context, cabinet)
    await notary.addToCart('requisites_payment')
    await notary.addToCart('admin_payment')
    await page.setViewportSize({ width, height: 1200 })
    await open(page, '/cart')
    // Without them the whole group is in sight, above what stays in sight.
    await page.getByRole('button', { name: 'Сховати перші кроки' }).click()
    await expect(page.getByRole('region', { name: 'Перші кроки' })).toHaveCount(0)
    const found = await controls(page)
    expect(found.map(({ name }) => name)).toContain('Більше')
    expect(found.filter(({ width: wide, height }) => wide < 24 || height < 24)).toEqual([])
    const overlapping = found.flatMap((one, index) =>
      found
        .slice(index + 1)
        .filter(
          (other) =>
            one.x < other.x + other.width - 1 &&
            other.x < one.x + one.width - 1 &&
            one.y < other.y + other.height - 1 &&
            other.y < one.y + one.height - 1,
        )
        .map((other) => `${one.name} lies on ${other.name}`),
    )
    expect(overlapping).toEqual([])
  })
}

test('what an order offers stands at the top of its page', async ({ page, context, cabinet }) => {
  const notary = await Notary.logIn(context, cabinet, PEOPLE.byCode)
  await page.setViewportSize({ width: 1366, height: 768 })
  const expectAtTop = (name: string, most: number) => {
    const named = { name, exact: true }
    const pressed = page.getByRole('button', named).or(page.getByRole('link', named))
    return expectBoxes([pressed.first()], ({ top }) => expect(top).toBeLessThanOrEqual(most))
  }
  await notary.addToCart('requisites_payment')
  const order = await notary.orderCart()
  await open(page, `/order/${order.id}/pending`)
  await expectAtTop('Перевірити зараз', 400)
  await cabinet.sandbox.pay(invoiceOf(order.widget_url), CARDS.declined)
  await expect.poll(async () => (await notary.order(order.id, { ask: true })).status).toBe('failed')
  await open(page, `/order/${order.id}/error`)
  await expectAtTop('Повернутися до оплати', 400)
  const paid = await notary.paidOrder('admin_payment', CARDS.pays)
  await open(page, `/order/${paid.id}/success`)
  await expectAtTop('Квитанція про сплату', 250)
  await open(page, `/order/${paid.id}`)
  await expectAtTop('Квитанція про сплату', 250)
})

test('an order of seven payments fits two screens, unfolds by the keyboard, and is whole on paper', async ({
  page,
  context,
  cabinet,
}) => {
  const notary = await Notary.signUp(context, cabinet)
  for (let count = 0; count < 7; count += 1)
    await notary.addToCart(count % 3 === 2 ? 'requisites_payment' : 'admin_payment')
  await open(page, '/cart')
  await page.getByRole('button', { name: 'Сховати перші кроки' }).click()
  await expect(page.getByRole('region', { name: 'Перші кроки' })).toHaveCount(0)
  const order = await notary.orderCart()
  const height = () => page.evaluate(() => document.documentElement.scrollHeight)
  const places = [
    [{ width: 1366, height: 768 }, 1500],
    [{ width: 390, height: 844 }, 2700],
  ] as const
  for (const path of ['/pending', '/success', '']) {
    if (path === '/success') {
      await cabinet.sandbox.pay(invoiceOf(order.widget_url), CARDS.pays)
      await expect.poll(async () => (await notary.order(order.id, { ask: true })).status).toBe('paid')
    }
    for (const [size, most] of places) {
      await page.setViewportSize(size)
      await open(page, `/order/${order.id}${path}`)
      await expect(page.getByRole('region', { name: 'Хронологія' })).toBeVisible()
      await expect.poll(height, `${path} at ${size.width}`).toBeLessThanOrEqual(most)
      await expectNoSidewaysScroll(page)
    }
  }
  const payments = page.getByRole('region', { name: 'Платежі' })
  const fold = payments.getByRole('button', { name: /закінчується на/ }).first()
  await expect(payments.getByRole('list', { name: 'Перекази' })).toHaveCount(0)
  await fold.focus()
  await page.keyboard.press('Enter')
  await expect(fold).toHaveAttribute('aria-expanded', 'true')
  await expect(payments.getByRole('list', { name: 'Перекази' })).toHaveCount(1)
  await expectNoSidewaysScroll(page)
  await expectAccessible(page)
  const printed = textOfPdf(await page.pdf({ format: 'A4' }))
  expect(printed.match(/Рахунок IBAN/g)).toHaveLength(7)
  expect(printed.match(/Переказ № /g)?.length).toBeGreaterThan(7)
})

test('a payment in the cart is as high as a thumb needs', async ({ page, context, cabinet }) => {
  const notary = await Notary.signUp(context, cabinet)
  await notary.addToCart('requisites_payment')
  await notary.addToCart('admin_payment')
  await page.setViewportSize({ width: 390, height: 844 })
  await open(page, '/cart')
  const rows = page.getByRole('table').first().locator('tbody > tr')
  await expect(rows).toHaveCount(2)
  await expectBoxes([rows.first(), rows.last()], (...boxes) => {
    for (const { height } of boxes) expect(height).toBeLessThanOrEqual(97)
  })
  // What its row has no room for is unfolded.
  await rows.first().locator('summary').press('Enter')
  await expect(rows.first().getByText(/^Створено \d/)).toBeVisible()
  await expectNoSidewaysScroll(page)
})

test('a large font and a long name fit a narrow window', async ({ page, context, cabinet }) => {
  const notary = await Notary.signUp(context, cabinet)
  await notary.addToCart('requisites_payment', { ...CLIENT, full_name: `ТОВ «${'Довгоназванов'.repeat(4)}»` })
  await page.setViewportSize({ width: 320, height: 800 })
  await open(page, '/cart')
  await expect(page.getByRole('button', { name: /^Сплатити/ }).first()).toBeVisible()
  await expectNoSidewaysScroll(page)
  await page.setViewportSize({ width: 400, height: 800 })
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '200%'
  })
  await expectNoSidewaysScroll(page)
})

test('the printed result has number, sum, date and payer, and nothing to press', async ({
  page,
  context,
  cabinet,
}) => {
  const notary = await Notary.signUp(context, cabinet)
  const order = await notary.paidOrder('admin_payment', CARDS.pays)
  await open(page, `/order/${order.id}/success`)
  await expect(page.getByRole('main')).toContainText(order.client.full_name)
  const printed = textOfPdf(await page.pdf({ format: 'A4' }))
  expect(printed).toContain(`№ ${order.number}`)
  expect(printed).toMatch(sumPattern(Math.round(order.sum * 100), 'uk'))
  const { year } = /(?<year>\d{4})/.exec(order.created_at)?.groups ?? {}
  expect(printed).toContain(`${year}`)
  expect(printed).toContain(order.client.full_name)
  expect(printed).toContain(order.client.inn)
  for (const pressed of [
    'Новий платіж',
    'До архіву',
    'Вийти',
    'Надрукувати',
    'Квитанція про',
    'Публічна оферта',
    'Укр',
  ])
    expect(printed).not.toContain(pressed)
})

test('the printed page of an order has its requisites, and nothing to press', async ({
  page,
  context,
  cabinet,
}) => {
  const notary = await Notary.signUp(context, cabinet)
  const order = await notary.paidOrder('admin_payment', CARDS.pays)
  await open(page, `/order/${order.id}`)
  await expect(page.getByRole('main')).toContainText(order.client.full_name)
  const printed = textOfPdf(await page.pdf({ format: 'A4' }))
  expect(printed).toContain(`№ ${order.number}`)
  expect(printed).toContain(order.client.full_name)
  for (const pressed of ['До вмісту сторінки', 'Оновити статус', 'Повторити', 'До архіву', 'Створити платіж'])
    expect(printed).not.toContain(pressed)
})

test('the cart has a column for each thing of the specification on a laptop', async ({
  page,
  context,
  cabinet,
}) => {
  const notary = await Notary.signUp(context, cabinet)
  await notary.addToCart('requisites_payment')
  await notary.addToCart('admin_payment')
  for (const language of LANGUAGES) {
    // One language after the other.
    // oxlint-disable-next-line no-await-in-loop
    await page.addInitScript((chosen) => localStorage.setItem('cabinet.locale', chosen), language)
    // oxlint-disable-next-line no-await-in-loop
    await page.setViewportSize({ width: 1366, height: 768 })
    // oxlint-disable-next-line no-await-in-loop
    await open(page, '/cart')
    const table = page.getByRole('table').first()
    // oxlint-disable-next-line no-await-in-loop
    await expect(table.getByRole('columnheader')).toHaveCount(7)
    const beyond = () =>
      table.evaluate(
        (shown) =>
          shown.getBoundingClientRect().width -
          (shown.parentElement?.getBoundingClientRect().width ?? Number.NaN),
      )
    // What comes after the heading may still move it.
    // oxlint-disable-next-line no-await-in-loop
    await expect.poll(beyond, language).toBeLessThan(1)
    // oxlint-disable-next-line no-await-in-loop
    await expectNoSidewaysScroll(page)
  }
})

test('the rows of the archive have their columns below each other', async ({ page, context, cabinet }) => {
  // Orders of several statuses.
  await Notary.logIn(context, cabinet, PEOPLE.byCode)
  const rows = new Screens(page).orders
  for (const width of [900, 1280, 1366]) {
    await page.setViewportSize({ width, height: 768 })
    await open(page, '/archive')
    await expect(rows.nth(3)).toBeVisible()
    await expect(rows.filter({ hasText: 'Строк минув' })).not.toHaveCount(0)
    const places = await rows.evaluateAll((all) =>
      all.map((row) => {
        const columns = [...row.querySelectorAll('p')].slice(0, 3)
        return columns.map((column) => Math.round(column.getBoundingClientRect().left)).join(' ')
      }),
    )
    expect(new Set(places).size, `${width}: ${places.join(', ')}`).toBe(1)
  }
})

test('the button that adds a payment has its words in one line', async ({ page, context, cabinet }) => {
  await Notary.signUp(context, cabinet)
  await page.setViewportSize({ width: 1280, height: 800 })
  const screens = new Screens(page)
  await screens.openForm()
  for (const name of ['Додати до кошика', 'Очистити форму']) {
    const button = screens.button(name)
    // As high as a field.
    await expectBoxes([button], ({ height }) => expect(Math.round(height), name).toBe(40))
    const lines = await button.evaluate((shown) => {
      const words = document.createRange()
      words.selectNodeContents(shown)
      return new Set([...words.getClientRects()].map(({ bottom }) => Math.round(bottom / 10))).size
    })
    expect(lines, name).toBe(1)
  }
})

/** The buttons, and links that look like one, which are filled as the main one by the tokens of the design, or by no token. */
const mainButtons = (page: Page) =>
  page.getByRole('main').evaluate((main) => {
    // Each by an element of its own: the colour of one that changes has a transition.
    const filled = (token: string) => {
      const sample = document.createElement('i')
      sample.style.backgroundColor = `var(${token})`
      main.append(sample)
      const { backgroundColor } = getComputedStyle(sample)
      sample.remove()
      return backgroundColor
    }
    const seal = filled('--color-seal')
    const others = new Set(['--color-sheet', '--color-inset', '--color-danger-wash'].map(filled))
    const shown = [...main.querySelectorAll<HTMLElement>('.button')].filter((one) => one.checkVisibility())
    return shown.flatMap((one) => {
      const name = one.textContent.trim().replaceAll('\u00a0', ' ')
      const fill = getComputedStyle(one).backgroundColor
      if (others.has(fill)) return []
      return [fill === seal ? name : `${name}: ${fill}`]
    })
  })

test('a page has one main button, also beside saved cards and several clients', async ({
  page,
  context,
  cabinet,
}) => {
  const notary = await Notary.signUp(context, cabinet)
  await notary.paidOrder('registry_payment', CARDS.pays, CLIENT, { save: true })
  await notary.addToCart('requisites_payment')
  const order = await notary.orderCart()
  await cabinet.sandbox.pay(invoiceOf(order.widget_url), CARDS.declined)
  await expect.poll(async () => (await notary.order(order.id, { ask: true })).status).toBe('failed')
  await notary.addToCart('requisites_payment')
  const other = { inn: '3652504575', full_name: 'Гнатюк Петро Олександрович' }
  await notary.addToCart('registry_payment', other)
  const one = page.getByRole('main').getByRole('button', { name: /^Сплатити \d/ })
  await open(page, `/order/${order.id}/error`)
  await expect(one.first()).toBeVisible()
  await expect.poll(() => mainButtons(page)).toEqual(['Повернутися до оплати'])
  await open(page, '/cart')
  await expect(one).toHaveCount(2)
  await expect.poll(() => mainButtons(page)).toEqual([expect.stringMatching(/^Сплатити за всіх: \d/)])
  // Where all cannot be paid, each client's own button is the main one.
  const screens = new Screens(page)
  const ofClient = page.getByRole('region', { name: new RegExp(`^${CLIENT.full_name}`) })
  await ofClient.getByRole('textbox', { name: 'Кількість' }).fill('0')
  await expect(screens.payButton(CLIENT)).toHaveAccessibleDescription('Виправте кількість')
  await expect
    .poll(() => mainButtons(page))
    .toEqual([expect.stringMatching(new RegExp(`^Сплатити \\d.* – ${other.full_name}$`))])
})

for (const [width, height] of [
  [320, 640],
  [390, 844],
  [1093, 560],
] as const) {
  test(`the popup has its consent, the charged card and Pay in sight at ${width}×${height}`, async ({
    page,
    context,
    cabinet,
  }) => {
    const notary = await Notary.signUp(context, cabinet)
    await notary.paidOrder('registry_payment', CARDS.pays, CLIENT, { save: true })
    await notary.addToCart('requisites_payment')
    await page.setViewportSize({ width, height })
    const screens = new Screens(page)
    await screens.openCart()
    await screens.payButton(CLIENT).click()
    const consent = screens.methods.getByRole('checkbox')
    const pay = screens.methods.getByRole('button', { name: /^Сплатити \d/ })
    const charged = screens.methods.locator('.dialog-foot').getByText('4242')
    for (const one of [consent, charged, pay]) {
      await expect(one).toBeInViewport({ ratio: 1 })
      const isOnTop = () =>
        one.evaluate((shown) => {
          const { x, y, width: wide, height: high } = shown.getBoundingClientRect()
          return shown.contains(document.elementFromPoint(x + wide / 2, y + high / 2))
        })
      await expect.poll(isOnTop).toBe(true)
    }
    // Its heading is in sight, too.
    await expect.poll(() => screens.methods.evaluate((dialog) => dialog.scrollTop)).toBe(0)
    await expectNoSidewaysScroll(page)
  })
}

test('each figure of a report stands on the right, also below a name of two lines', async ({
  page,
  context,
  cabinet,
}) => {
  const notary = await Notary.signUp(context, cabinet)
  await notary.paidOrder('admin_payment', CARDS.pays)
  await page.setViewportSize({ width: 1093, height: 560 })
  await open(page, '/reports')
  const figures = page.getByRole('region', { name: 'Сплачено', exact: true }).getByRole('definition')
  await expectBoxes([figures.first(), figures.last()], (first, last) =>
    expect(last.right).toBeCloseTo(first.right, 0),
  )
})

test('the state of a transfer has two lines at most beside its payment', async ({
  page,
  context,
  cabinet,
}) => {
  const notary = await Notary.signUp(context, cabinet)
  const order = await notary.paidOrder('admin_payment', CARDS.pays)
  await page.setViewportSize({ width: 1093, height: 560 })
  await open(page, `/order/${order.id}`)
  const state = page.getByRole('cell', { name: 'Очікує передачі банку', exact: true }).locator('div')
  // Three lines have 60 px.
  await expectBoxes([state], ({ height }) => expect(height).toBeLessThanOrEqual(46))
  await expectNoSidewaysScroll(page)
})

test('the first fields of a notarial act stand in one line, or one below the other', async ({
  page,
  context,
  cabinet,
}) => {
  const notary = await Notary.signUp(context, cabinet)
  await notary.addToCart('registry_payment')
  const order = await notary.orderCart()
  await open(page, `/order/${order.id}/pending`)
  await page.locator('summary').filter({ hasText: 'Нотаріальна дія' }).click()
  const fields = page.getByRole('group', { name: 'Нотаріальна дія' }).getByRole('textbox')
  await expect(fields).toHaveCount(3)
  // Both at once: what is above them is laid out anew after the resize.
  const sameEdges = () =>
    fields.evaluateAll((shown) => {
      const [number, date] = shown.map((control) => control.getBoundingClientRect())
      return { left: number?.left === date?.left, top: number?.top === date?.top }
    })
  await page.setViewportSize({ width: 390, height: 768 })
  await expect.poll(sameEdges).toEqual({ left: true, top: false })
  for (const width of [1093, 1366]) {
    // oxlint-disable-next-line no-await-in-loop -- one width after the other
    await page.setViewportSize({ width, height: 768 })
    // oxlint-disable-next-line no-await-in-loop
    await expect.poll(sameEdges).toEqual({ left: false, top: true })
  }
})

test('a forced palette tells the current section and tab', async ({ page, context, cabinet }) => {
  await Notary.signUp(context, cabinet)
  await page.emulateMedia({ forcedColors: 'active' })
  await open(page, '/archive')
  const background = (name: string, link: string) =>
    page
      .getByRole('navigation', { name })
      .getByRole('link', { name: link, exact: true })
      .evaluate((shown) => getComputedStyle(shown).backgroundColor)
  for (const [navigation, current, other] of [
    ['Розділи', 'Архів', 'Кошик'],
    ['Платежі', 'Архів', 'Звіти'],
  ] as const)
    // oxlint-disable-next-line no-await-in-loop -- one navigation after the other
    await expect(async () => {
      expect(await background(navigation, current)).not.toBe(await background(navigation, other))
    }).toPass()
})

/** Presses Tab once round the page. Returns the names of the focused elements; each must be visible and uncovered. */
async function walk(page: Page): Promise<Set<string>> {
  const STOPS_MAX = 160
  const names: (string | null)[] = []
  for (let stop = 0; stop < STOPS_MAX; stop += 1) {
    await page.keyboard.press('Tab')
    const name = await page.evaluate(() => {
      const focused = document.activeElement
      if (focused === null || focused === document.body) return null
      return focused.id || focused.getAttribute('aria-label') || focused.textContent.trim()
    })
    // The round is over when the first three names occur again in a row. A single name may occur at several places.
    const last = names.slice(-2)
    if (names.length > 3 && name === names[2] && last[0] === names[0] && last[1] === names[1])
      return new Set(names.filter((one) => one !== null))
    // The focus inside a frame is not visible from outside. After the last stop the window itself has the focus.
    const inFrame = await page.evaluate(() => document.activeElement?.tagName === 'IFRAME')
    if (name !== null && !inFrame) await expectFocusSeen(page)
    names.push(name)
  }
  throw new Error(`After ${STOPS_MAX} presses of Tab the walk over ${page.url()} is not over.`)
}

/** 400 % of a window of 1280 by 1024: nothing scrolls sideways, and Tab reaches everything. */
async function expectReadable(page: Page, path: string): Promise<void> {
  await test.step(path, async () => {
    await page.setViewportSize({ width: 320, height: 256 })
    await open(page, path)
    // A part that comes while the walk is on may come behind it.
    await page.waitForLoadState('networkidle')
    await expectNoSidewaysScroll(page)
    await expect(async () => {
      const reached = await walk(page)
      const there = await page.evaluate(() =>
        [
          ...document.querySelectorAll(
            'a[href], button, input:not([type=radio], [aria-hidden]), select, textarea',
          ),
        ]
          .filter((control) => control.checkVisibility() && !control.matches(':disabled'))
          .map((control) => control.id || control.getAttribute('aria-label') || control.textContent.trim()),
      )
      expect(there.filter((name) => !reached.has(name))).toEqual([])
    }).toPass({ timeout: 60_000 })
  })
}

test('at 400 % the pages of a guest do not scroll sideways, and all of each is reached by Tab and seen', async ({
  page,
}) => {
  for (const path of ['/login', '/sign-up']) await expectReadable(page, path)
})

test('at 400 % the pages of a notary do not scroll sideways, and all of each is reached by Tab and seen', async ({
  page,
  context,
  cabinet,
}) => {
  for (const path of await furnished(context, cabinet)) await expectReadable(page, path)
})

type Colour = readonly [red: number, green: number, blue: number]

/** Relative luminance (WCAG 2.2). */
function luminance(colour: Colour): number {
  const [red = 0, green = 0, blue = 0] = colour.map((part) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: Colour, other: Colour): number {
  const [dark = 0, bright = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (bright + 0.05) / (dark + 0.05)
}

/**
 * The contrast of each control of the page, and of its focus ring, with what is around them. Measured at its border, or at its
 * fill where that has more contrast; an icon without a border by its colour.
 */
async function contrasts(page: Page): Promise<{ name: string; control: number; ring: number }[]> {
  const colours = await page.evaluate(async () => {
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
    if (canvas === null) throw new Error('There is no canvas.')
    /** Parses colours of any notation and blends them as the screen does. */
    const mixed = (layers: string[]): Colour => {
      canvas.clearRect(0, 0, 1, 1)
      for (const layer of layers) {
        canvas.fillStyle = layer
        canvas.fillRect(0, 0, 1, 1)
      }
      const [red = 0, green = 0, blue = 0] = canvas.getImageData(0, 0, 1, 1).data
      return [red, green, blue]
    }
    const backgrounds = (element: Element | null): string[] =>
      element === null
        ? ['white']
        : [...backgrounds(element.parentElement), getComputedStyle(element).backgroundColor]
    const described = []
    for (const control of document.querySelectorAll<HTMLElement>('button, select, textarea, input')) {
      if (!control.checkVisibility() || control.matches(':disabled, [readonly], [aria-disabled=true]'))
        continue
      const around = backgrounds(control.parentElement)
      const style = getComputedStyle(control)
      const native = control.matches('[type=checkbox], [type=radio]')
      const signAlone = style.borderTopWidth === '0px'
      const edge = native ? style.accentColor : signAlone ? style.color : style.borderTopColor
      const seen = { edge: mixed([...around, edge]), fill: mixed([...around, style.backgroundColor]) }
      control.focus({ focusVisible: true } as FocusOptions)
      // Behind an open dialog.
      if (document.activeElement !== control) continue
      // The colour of the ring has a transition.
      await Promise.all(control.getAnimations().map((change) => change.finished))
      described.push({
        ...seen,
        name: control.getAttribute('aria-label') ?? (control.id || control.textContent.trim()),
        around: mixed(around),
        ring: mixed([...around, style.outlineColor]),
      })
    }
    return described
  })
  return colours.map(({ name, around, edge, fill, ring }) => ({
    name,
    control: Math.max(contrast(edge, around), contrast(fill, around)),
    ring: contrast(ring, around),
  }))
}

for (const theme of THEMES) {
  test(`controls and the focus ring stand out from what is around them, ${theme}`, async ({
    page,
    context,
    cabinet,
  }) => {
    await page.emulateMedia({ colorScheme: theme })
    await open(page, '/login')
    const guests = await contrasts(page)
    const paths = await furnished(context, cabinet)
    const all = [...guests]
    for (const path of paths) {
      await open(page, path)
      all.push(...(await contrasts(page)))
    }
    const screens = new Screens(page)
    await screens.openForm()
    await screens.kind('Платіж за реквізитами').check()
    await screens.pressAdd()
    await expect(page.getByRole('alert').first()).toBeVisible()
    all.push(...(await contrasts(page)))
    await screens.openCart()
    await screens.payButton(CLIENT).click()
    await expect(screens.methods).toBeVisible()
    all.push(...(await contrasts(page)))

    expect(all.length).toBeGreaterThan(80)
    expect(all.filter(({ control, ring }) => control < 3 || ring < 3)).toEqual([])
  })
}

/** The number of endless animations that run on the page. */
function moving(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      document
        .getAnimations()
        .filter(
          ({ playState, effect }) =>
            playState === 'running' && effect?.getComputedTiming().iterations === Infinity,
        ).length,
  )
}

test.describe('motion', () => {
  for (const motion of ['no-preference', 'reduce'] as const) {
    test(`what waits ${motion === 'reduce' ? 'stands still for those who asked for less motion' : 'turns'}`, async ({
      page,
      cabinet,
    }) => {
      await page.emulateMedia({ reducedMotion: motion })
      const screens = new Screens(page)
      await page.goto('/login')
      await screens.field('Номер телефону').fill(PEOPLE.byCall)
      await screens.button('Увійти').click()
      await expect(screens.heading('Зараз вам зателефонують')).toBeVisible()
      await expect.poll(() => moving(page)).toBe(motion === 'reduce' ? 0 : 1)
      const call = await cabinet.sandbox.ringing(PEOPLE.byCall)
      await cabinet.sandbox.answerCall(call.sid, '2')
      await expect(page).toHaveURL(/\/login$/)
    })
  }
})

for (const [system, chosen, seen] of [
  ['light', null, 'light'],
  ['dark', null, 'dark'],
  ['light', 'dark', 'dark'],
  ['dark', 'light', 'light'],
] as const) {
  test(`a ${system} system with ${chosen ?? 'nothing'} chosen is ${seen} from the first frame on`, async ({
    page,
  }) => {
    await page.emulateMedia({ colorScheme: system })
    await page.addInitScript((theme) => {
      if (theme !== null) localStorage.setItem('cabinet.theme', theme)
      const colours = new Set<string>()
      Object.assign(window, { colours })
      // A frame is drawn only when nothing blocks the first paint any more.
      const look = (): void => {
        if (document.body !== null) colours.add(getComputedStyle(document.documentElement).backgroundColor)
        requestAnimationFrame(look)
      }
      requestAnimationFrame(look)
    }, chosen)
    await open(page, '/login')
    const colours = await page.evaluate(() => [...(window as unknown as { colours: Set<string> }).colours])
    expect(colours).toHaveLength(1)
    const [red = ''] = /\d+/.exec(colours[0] ?? '') ?? []
    expect(Number(red) < 128 ? 'dark' : 'light').toBe(seen)
  })
}

for (const [pointer, chosen, height] of [
  ['mouse', null, 40],
  ['mouse', 'roomy', 48],
  ['finger', null, 48],
  ['finger', 'compact', 40],
] as const) {
  test.describe(`with a ${pointer}`, () => {
    test.use({ hasTouch: pointer === 'finger', isMobile: pointer === 'finger' })
    test(`and ${chosen ?? 'nothing'} chosen a field and a button are ${height} px high`, async ({ page }) => {
      await open(page, '/login')
      if (chosen !== null) {
        await page.getByRole('button', { name: 'Вигляд' }).click()
        const name = chosen === 'roomy' ? 'Просторо' : 'Щільно'
        await page.getByRole('menuitemradio', { name }).click()
      }
      const screens = new Screens(page)
      const expectHeights = () =>
        expectBoxes([screens.field('Номер телефону'), screens.button('Увійти')], (...boxes) =>
          expect(boxes.map((box) => Math.round(box.height))).toEqual([height, height]),
        )
      await expectHeights()
      await open(page, '/login')
      await expectHeights()
    })
  })
}

/** Counts layout shifts, and frames in which nothing is visible. */
async function watch(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const seen = { shift: 0, blank: 0, moved: [] as string[] }
    Object.assign(window, { seen })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as unknown as {
        value: number
        hadRecentInput: boolean
        sources: { node?: Node }[]
      }[]) {
        if (entry.hadRecentInput) continue
        seen.shift += entry.value
        seen.moved.push(
          ...entry.sources.map(({ node }) => (node as Element | undefined)?.outerHTML?.slice(0, 120) ?? ''),
        )
      }
    }).observe({ type: 'layout-shift', buffered: true })
    // While the document is still being parsed, a frame may show its first half only.
    const look = (): void => {
      const read = document.readyState !== 'loading'
      if (read && document.querySelector('#root svg, #root h1') === null) seen.blank += 1
      requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  })
}

test.describe('on a slow line', () => {
  /** The "slow 3G" of Chromium's tools. */
  const SLOW = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 }
  const SHIFT_MAX = 0.02

  async function expectCalm(page: Page, path: string): Promise<void> {
    await test.step(path, async () => {
      await page.goto(path)
      await expect(headingOf(page)).toBeVisible()
      // What comes last differs from page to page, and whatever comes may move something.
      await page.waitForLoadState('networkidle')
      const seen = await page.evaluate(
        () => (window as unknown as { seen: { shift: number; blank: number; moved: string[] } }).seen,
      )
      expect(seen.shift, `${path}: ${seen.moved.join('\n')}`).toBeLessThanOrEqual(SHIFT_MAX)
      expect(seen.blank, path).toBe(0)
    })
  }

  for (const width of [1280, 390]) {
    test(`nothing jumps and nothing is blank, at ${width} px`, async ({ page, context, cabinet }) => {
      await page.setViewportSize({ width, height: 844 })
      await watch(page)
      const line = await context.newCDPSession(page)
      await line.send('Network.enable')
      await line.send('Network.emulateNetworkConditions', SLOW)
      await expectCalm(page, '/login')
      for (const path of await furnished(context, cabinet)) await expectCalm(page, path)
    })
  }
})

/** Holds the requests whose address matches. Returns what lets them go. */
async function hold(page: Page, address: RegExp): Promise<() => void> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route(address, async (route) => {
    await released
    await route.fallback()
  })
  return release
}

test('the notarial act of a group comes into its place', async ({ page, context, cabinet }) => {
  const notary = await Notary.signUp(context, cabinet)
  await notary.addToCart('registry_payment')
  await notary.addToCart('registry_payment', { inn: '3068208400', full_name: 'Лис Ганна Іванівна' })
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  // The names of scripts say nothing. The act waits for its texts.
  await page.route(/\/assets\/[^?]*\.js$/, async (route) => {
    const response = await route.fetch()
    if ((await response.text()).includes('Дата нотаріальної дії')) await released
    await route.fulfill({ response })
  })
  await open(page, '/cart')
  const groups = page.getByRole('main').getByRole('region', { name: /\d{10}$/ })
  await expect(groups).toHaveCount(2)
  const ends = () => groups.evaluateAll((all) => all.map((group) => group.getBoundingClientRect().bottom))
  const before = await ends()
  await expect(page.getByText('Нотаріальна дія')).toHaveCount(0)
  release()
  await expect(page.getByText('Нотаріальна дія')).toHaveCount(2)
  await expect.poll(ends).toEqual(before)
})

test.describe('before the answers have come', () => {
  const WHO_IS_SIGNED_IN = /\/api\/auth\/refresh$/
  const SCRIPTS = /\/assets\/[^?]*\.js$/

  for (const language of LANGUAGES) {
    /** A page of a notary who has signed in in this browser before. */
    async function knownPage(page: Page, context: BrowserContext, cabinet: Cabinet): Promise<void> {
      await Notary.signUp(context, cabinet)
      await speak(page, language)
      await open(page, '/me')
    }

    test(`the form of a payment begins with its words before the server has said who is signed in, in ${language}`, async ({
      page,
      context,
      cabinet,
    }) => {
      const { say } = new Screens(page, language)
      await knownPage(page, context, cabinet)
      const release = await hold(page, WHO_IS_SIGNED_IN)
      await page.goto('/', { waitUntil: 'commit' })
      const lead = page.getByText(say('Платежі за цілою нотаріальною дією: {link}.').split(': {')[0] ?? '')
      await expect(page.getByRole('heading', { level: 1, name: say('Новий платіж') })).toBeVisible()
      await expect(lead.filter({ visible: true })).toHaveCount(1)
      release()
      await expect(headingOf(page)).toHaveText(say('Новий платіж'))
      await expect(page.locator('html')).toHaveAttribute('lang', language)
      await expect(lead).toHaveCount(1)
    })

    test(`the login begins with its words before its scripts have come, in ${language}`, async ({ page }) => {
      const { say } = new Screens(page, language)
      await speak(page, language)
      const release = await hold(page, SCRIPTS)
      await page.goto('/login', { waitUntil: 'commit' })
      await expect(page.getByRole('heading', { level: 1, name: say('Вхід до кабінету') })).toBeVisible()
      await expect(page.getByRole('textbox')).toHaveCount(0)
      release()
      await expect(page.getByLabel(say('Номер телефону'))).toBeFocused()
      await expect(headingOf(page)).toHaveText(say('Вхід до кабінету'))
    })

    test(`who is no longer signed in sees the words of the form and ends on the login, in ${language}`, async ({
      page,
      context,
      cabinet,
    }) => {
      const { say } = new Screens(page, language)
      await knownPage(page, context, cabinet)
      await context.clearCookies()
      const release = await hold(page, WHO_IS_SIGNED_IN)
      await page.goto('/', { waitUntil: 'commit' })
      await expect(page.getByRole('heading', { level: 1, name: say('Новий платіж') })).toBeVisible()
      release()
      await expect(headingOf(page)).toHaveText(say('Вхід до кабінету'))
      await expect(page).toHaveURL(/\/login$/)
      await expect(page.getByText(say('Новий платіж'))).toHaveCount(0)
    })
  }
})

test('an archive of many orders is paged by scrolling, in order and without a gap, and searched', async ({
  page,
  context,
  cabinet,
}) => {
  const ORDERS = 45
  const notary = await Notary.signUp(context, cabinet)
  const numbers: string[] = []
  for (let order = 0; order < ORDERS; order += 1) {
    await notary.addToCart('requisites_payment')
    numbers.push((await notary.orderCart()).number)
  }
  await open(page, '/archive')
  const blocks = new Screens(page).orders
  await expect(blocks).toHaveCount(20)
  await blocks.last().scrollIntoViewIfNeeded()
  await expect(blocks).toHaveCount(40)
  await blocks.last().scrollIntoViewIfNeeded()
  await expect(blocks).toHaveCount(ORDERS)
  await expect(page.getByText('Більше записів немає')).toBeVisible()
  const shown = await blocks.evaluateAll((all) =>
    all.map((block) => /№\s*(\d+)/.exec(block.textContent)?.[1]),
  )
  expect(shown).toEqual(numbers.toReversed())

  await page.getByRole('searchbox').fill(numbers[0] ?? '')
  await expect(blocks).toHaveCount(1)
  await expect(blocks).toContainText(`№ ${numbers[0]}`)
})
