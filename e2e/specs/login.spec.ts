import { masked, PEOPLE, REGISTRY_IDENTIFIER } from '../support/people.ts'
import { listening } from '../support/realtime.ts'
import { Screens } from '../support/screens.ts'
import { expect, testWithCabinet } from '../support/test.ts'

const test = testWithCabinet('login')

test.describe('a code by SMS', () => {
  test('the phone may be typed in any usual way, and the right code opens the cabinet', async ({
    page,
    cabinet,
  }) => {
    const screens = new Screens(page)
    await page.goto('/cart')
    await expect(page).toHaveURL(/\/login$/)

    const phone = screens.field('Номер телефону')
    await expect(phone).toBeFocused()
    await expect(phone).toHaveAttribute('type', 'tel')
    await expect(phone).toHaveAttribute('autocomplete', 'tel')
    for (const typed of ['0501112233', '380501112233', '+38 050 111-22-33']) {
      await phone.fill(typed)
      await expect(phone).toHaveValue(masked(PEOPLE.byCode))
    }

    const code = await cabinet.sandbox.codeAfter(PEOPLE.byCode, () => phone.press('Enter'))
    await expect(page).toHaveURL(/\/login\/otp$/)
    const field = screens.field('Код із SMS')
    await expect(field).toBeFocused()
    await expect(field).toHaveAttribute('autocomplete', 'one-time-code')
    await expect(field).toHaveAttribute('inputmode', 'numeric')
    await expect(page.getByText('+38 (050) ***-**-33')).toBeVisible()

    // A code pasted with a space, as in messages, is sent automatically, and once.
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/api/auth/login/otp')) sent.push(request.url())
    })
    await field.fill(`${code.slice(0, 2)} ${code.slice(2)}`)
    await expect(page).toHaveURL(/\/cart$/)
    expect(sent).toHaveLength(1)

    await page.reload()
    await expect(screens.heading('Кошик')).toBeVisible()
    const kept = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))
    expect(kept).not.toMatch(/eyJ|\+380|access|refresh/)

    await page.goto('/login')
    await expect(page).toHaveURL(/\/$/)
    await screens.button('Вийти').click()
    await expect(page).toHaveURL(/\/login$/)
    await page.goto('/archive')
    await expect(page).toHaveURL(/\/login$/)
  })

  test('where the browser blocks cookies the login says so', async ({ page }) => {
    // What Chromium does for a site whose cookies are blocked.
    await page.addInitScript(() => {
      // oxlint-disable-next-line consistent-function-scoping -- it runs in the page
      const refuse = () => {
        throw new DOMException('Access is denied for this document.', 'SecurityError')
      }
      for (const name of ['localStorage', 'sessionStorage'])
        Object.defineProperty(window, name, { configurable: true, get: refuse })
      Object.defineProperty(Navigator.prototype, 'cookieEnabled', { get: () => false })
      Object.defineProperty(window, 'BroadcastChannel', { value: refuse })
      Object.defineProperty(LockManager.prototype, 'request', { value: refuse })
    })
    const screens = new Screens(page)
    await page.goto('/login')
    await expect(page.getByText('Браузер блокує файли cookie')).toBeVisible()
    await expect(screens.field('Номер телефону')).toBeVisible()
  })

  test('a browser of the time of Chromium 109 opens the cabinet', async ({ page, cabinet }) => {
    await page.addInitScript(() => {
      Reflect.deleteProperty(Array.prototype, 'toSorted')
      Reflect.deleteProperty(Array.prototype, 'toReversed')
      Reflect.deleteProperty(AbortSignal, 'any')
      Reflect.deleteProperty(URL, 'canParse')
    })
    const screens = new Screens(page)
    await page.goto('/archive')
    const phone = screens.field('Номер телефону')
    await phone.fill('0501112233')
    const code = await cabinet.sandbox.codeAfter(PEOPLE.byCode, () => phone.press('Enter'))
    await screens.field('Код із SMS').fill(code)
    await expect(screens.heading('Архів')).toBeVisible()
    await screens.openCart()
    await expect(page.getByRole('main')).toBeVisible()
  })

  test('wrong codes are told from a used-up one, and a new code works', async ({ page, cabinet }) => {
    const screens = new Screens(page)
    await page.goto('/login')
    await screens.field('Номер телефону').fill(PEOPLE.legacyFlow)
    const code = await cabinet.sandbox.codeAfter(PEOPLE.legacyFlow, () => screens.button('Увійти').click())
    const wrong = code === '0000' ? '1111' : '0000'
    const field = screens.field('Код із SMS')

    await screens.button('Увійти').click()
    await expect(field).toHaveAccessibleDescription('Введіть OTP код')
    await field.fill('12')
    await screens.button('Увійти').click()
    await expect(field).toHaveAccessibleDescription('Не вірний формат OTP коду')

    const answered = (): Promise<unknown> => page.waitForResponse(/\/api\/auth\/login\/otp$/)
    for (const time of [1, 2, 3]) {
      const answer = answered()
      await field.fill('')
      await field.fill(wrong)
      await answer
      if (time < 3) await expect(page.getByText('Неправильний код').first()).toBeVisible()
    }
    const answer = answered()
    await field.fill('')
    await field.fill(code)
    await answer
    await expect(page.getByText('Спроби ввести цей код вичерпано').first()).toBeVisible()

    await screens.link('Змінити номер').click()
    const next = await cabinet.sandbox.codeAfter(PEOPLE.legacyFlow, () => screens.button('Увійти').click())
    await screens.field('Код із SMS').fill(next)
    await expect(screens.heading('Новий платіж')).toBeVisible()
  })

  test('an unfinished or unknown phone is refused in words', async ({ page }) => {
    const screens = new Screens(page)
    await page.goto('/login')
    const phone = screens.field('Номер телефону')
    await expect(phone).toHaveValue(/^\+38/)
    await screens.button('Увійти').click()
    await expect(phone).toHaveAttribute('aria-invalid', 'true')
    await phone.fill('050111')
    await screens.button('Увійти').click()
    await expect(phone).toHaveAccessibleDescription(
      'Номер телефону неповний або неправильний. Перевірте його',
    )
    await phone.fill('+380990000000')
    await screens.button('Увійти').click()
    await expect(page.getByText('Цей номер телефону не зареєстровано').first()).toBeVisible()
  })

  test('who has not agreed to the new terms is asked to, and goes on', async ({ page, cabinet }) => {
    const screens = new Screens(page)
    await page.goto('/login')
    await expect(page.getByRole('checkbox')).toHaveCount(0)
    await screens.field('Номер телефону').fill(PEOPLE.notAgreed)
    await screens.button('Увійти').click()
    const agreement = page.getByRole('checkbox')
    await expect(agreement).toBeVisible()
    await screens.button('Увійти').click()
    await expect(agreement).toHaveAccessibleDescription('Щоб увійти, погодьтеся з новими умовами')
    await agreement.check()
    const code = await cabinet.sandbox.codeAfter(PEOPLE.notAgreed, () => screens.button('Увійти').click())
    await screens.field('Код із SMS').fill(code)
    await expect(screens.heading('Новий платіж')).toBeVisible()
  })
})

test('the registry identifier takes the place of a code', async ({ page }) => {
  const screens = new Screens(page)
  await page.goto('/login')
  await screens.field('Номер телефону').fill(PEOPLE.byRegistryIdentifier)
  await screens.button('Увійти').click()
  await expect(page).toHaveURL(/\/login\/otp\/custom$/)
  const field = screens.field('Ідентифікатор у реєстрі')
  await expect(field).toBeFocused()
  await field.fill('NOTAR99999')
  await screens.button('Увійти').click()
  await expect(page.getByText('Неправильний ідентифікатор').first()).toBeVisible()
  await field.fill(REGISTRY_IDENTIFIER)
  await screens.button('Увійти').click()
  await expect(screens.heading('Новий платіж')).toBeVisible()
})

test.describe('a call', () => {
  test('is offered where no code can be sent, and opens the cabinet', async ({ page, cabinet }) => {
    const screens = new Screens(page)
    await page.goto('/login')
    await screens.field('Номер телефону').fill(PEOPLE.byCode)
    await cabinet.sandbox.refuseMessages()
    await screens.button('Увійти').click()
    await screens.expectMessage('otp_not_sent')
    // The service has refused with status 200. Whoever waits for alerts must see that as a refusal.
    expect(await cabinet.metrics()).toMatch(
      /cabinet_outbound_calls_total\{service="turbosms",call="message\/send",outcome="refused"\} [1-9]/u,
    )
    const heard = listening(page)
    await screens.button('Зателефонувати мені').click()
    await expect(screens.heading('Зараз вам зателефонують')).toBeVisible()
    const call = await cabinet.sandbox.ringing(PEOPLE.byCode)
    await heard
    await cabinet.sandbox.answerCall(call.sid, await screens.keysOfCall())
    await expect(screens.heading('Новий платіж')).toBeVisible()
  })

  test('the 1 and the digits of the page open the cabinet by themselves', async ({ page, cabinet }) => {
    const screens = new Screens(page)
    await page.goto('/login')
    await screens.field('Номер телефону').fill(PEOPLE.byCall)
    const heard = listening(page)
    await screens.button('Увійти').click()
    await expect(page).toHaveURL(/\/login\/phone-call$/)
    const call = await cabinet.sandbox.ringing(PEOPLE.byCall)
    await heard
    await cabinet.sandbox.answerCall(call.sid, await screens.keysOfCall())
    await expect(screens.heading('Новий платіж')).toBeVisible()
  })

  test('1 that is pressed while the connection is gone opens the cabinet when it is back', async ({
    page,
    context,
    cabinet,
  }) => {
    const screens = new Screens(page)
    await page.goto('/login')
    await screens.field('Номер телефону').fill(PEOPLE.byCall)
    const heard = listening(page)
    await screens.button('Увійти').click()
    const call = await cabinet.sandbox.ringing(PEOPLE.byCall)
    await heard
    await context.setOffline(true)
    await cabinet.sandbox.answerCall(call.sid, await screens.keysOfCall())
    await expect(page.getByRole('status').filter({ hasText: 'Немає зв’язку із сервером' })).toBeVisible({
      timeout: 60_000,
    })
    await context.setOffline(false)
    await expect(screens.heading('Новий платіж')).toBeVisible({ timeout: 60_000 })
  })

  test('the 1 alone opens nothing on a new device, and is enough on a known one', async ({
    page,
    cabinet,
  }) => {
    const screens = new Screens(page)
    async function callMe() {
      await page.goto('/login')
      await screens.field('Номер телефону').fill(PEOPLE.byCall)
      const heard = listening(page)
      await screens.button('Увійти').click()
      const call = await cabinet.sandbox.ringing(PEOPLE.byCall)
      await heard
      return call
    }
    const strange = await callMe()
    await expect(page.getByRole('definition')).toBeVisible()
    await cabinet.sandbox.answerCall(strange.sid, '1')
    await expect(page.getByText('Дзвінок не підтверджено')).toBeVisible()

    const matched = await callMe()
    await cabinet.sandbox.answerCall(matched.sid, await screens.keysOfCall())
    await expect(screens.heading('Новий платіж')).toBeVisible()
    await screens.button('Вийти').click()
    await expect(page).toHaveURL(/\/login$/)

    const known = await callMe()
    await expect(page.getByText('Виконайте вказівки оператора й натисніть 1.')).toBeVisible()
    await cabinet.sandbox.answerCall(known.sid, '1')
    await expect(screens.heading('Новий платіж')).toBeVisible()
  })

  test('another key leads back to the login and says why', async ({ page, cabinet }) => {
    const screens = new Screens(page)
    await page.goto('/login')
    await screens.field('Номер телефону').fill(PEOPLE.byCall)
    const heard = listening(page)
    await screens.button('Увійти').click()
    const call = await cabinet.sandbox.ringing(PEOPLE.byCall)
    await heard
    await cabinet.sandbox.answerCall(call.sid, '2')
    await expect(page).toHaveURL(/\/login$/)
    await expect(page.getByText('Дзвінок не підтверджено')).toBeVisible()
  })
})

test('signing up asks for everything, confirms the phone and signs in', async ({ page, cabinet }) => {
  const screens = new Screens(page)
  await page.goto('/sign-up/otp')
  await expect(page).toHaveURL(/\/sign-up$/)

  await screens.button('Зареєструватися').click()
  const summary = page.getByRole('alert').filter({ hasText: 'У формі є помилки' })
  await expect(summary).toBeFocused()
  await expect(page).toHaveTitle(/^Помилка/)
  await expect(summary.getByRole('link')).toHaveCount(4)
  await summary.getByRole('link', { name: 'Введіть прізвище, ім’я та по батькові' }).click()
  await expect(screens.field('Прізвище, ім’я, по батькові')).toBeFocused()

  const phone = '+380671230001'
  await screens.field('Прізвище, ім’я, по батькові').fill('Бондар Ірина Олегівна')
  await screens.field('Номер телефону').fill(phone)
  await screens.field('Ідентифікатор у реєстрі').fill('NOTAR555')
  await page.getByRole('checkbox').check()
  const code = await cabinet.sandbox.codeAfter(phone, () => screens.button('Зареєструватися').click())
  await expect(page).toHaveURL(/\/sign-up\/otp$/)
  await screens.field('Код із SMS').fill(code)
  await expect(screens.heading('Новий платіж')).toBeVisible()
  await expect(page.getByText('Бондар Ірина Олегівна').first()).toBeVisible()
  await expect(page.getByText('ID: NOTAR555').first()).toBeVisible()
})

test('two tabs of one session never log each other out', async ({ context, page, cabinet }) => {
  const screens = new Screens(page)
  await page.goto('/login')
  await screens.field('Номер телефону').fill(PEOPLE.byCode)
  const code = await cabinet.sandbox.codeAfter(PEOPLE.byCode, () => screens.button('Увійти').click())
  await screens.field('Код із SMS').fill(code)
  await expect(screens.heading('Новий платіж')).toBeVisible()

  const second = await context.newPage()
  await Promise.all([page.reload(), second.goto(cabinet.url)])
  await expect(screens.heading('Новий платіж')).toBeVisible()
  await expect(new Screens(second).heading('Новий платіж')).toBeVisible()

  // A logout in one tab ends the session in the other, too.
  await new Screens(second).button('Вийти').click()
  await expect(page).toHaveURL(/\/login$/)
})

test('the language is chosen once and stays', async ({ page }) => {
  await page.goto('/login')
  await expect(page.locator('html')).toHaveAttribute('lang', 'uk')
  await page.getByRole('button', { name: 'Eng, English' }).click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  await expect(page.getByRole('textbox', { name: 'Phone number' })).toBeVisible()
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  await expect(page).toHaveTitle('Log in – Notary dashboard')
})
