import { forEachAppearance } from '../support/appearance.ts'
import { ageCodes } from '../support/database.ts'
import { PEOPLE } from '../support/people.ts'
import { Screens, speak } from '../support/screens.ts'
import { expect, testWithCabinet } from '../support/test.ts'

const test = testWithCabinet('accessibility-guest')

forEachAppearance(test, (language, look) => {
  test('the pages of a guest', async ({ page, cabinet }) => {
    await speak(page, language)
    const screens = new Screens(page, language)
    await page.goto('/login')
    await expect(screens.heading('Вхід до кабінету')).toBeVisible()
    await look(page)
    await screens.button('Увійти').click()
    await expect(screens.field('Номер телефону')).toHaveAttribute('aria-invalid', 'true')
    await look(page)

    await page.goto('/sign-up')
    await screens.button('Зареєструватися').click()
    await expect(page.getByRole('alert').first()).toBeVisible()
    await look(page)

    await page.goto('/login')
    await screens.field('Номер телефону').fill(PEOPLE.byRegistryIdentifier)
    await screens.button('Увійти').click()
    await expect(screens.heading('Підтвердьте, що це ви')).toBeVisible()
    await look(page)

    await page.goto('/login')
    await screens.field('Номер телефону').fill(PEOPLE.byCall)
    await screens.button('Увійти').click()
    await expect(screens.heading('Зараз вам зателефонують')).toBeVisible()
    const call = await cabinet.sandbox.ringing(PEOPLE.byCall)
    await look(page)
    // It rings for forty seconds. A call that has ended by then leads to the same page.
    await cabinet.sandbox.answerCall(call.sid, '2').catch(() => undefined)
    await expect(page).toHaveURL(/\/login$/)

    const phone = PEOPLE.notAgreed
    await screens.field('Номер телефону').fill(phone)
    await screens.button('Увійти').click()
    // If an earlier test has agreed to the terms, the code follows directly.
    const agreement = page.getByRole('checkbox')
    await expect(agreement.or(screens.heading('Введіть код'))).toBeVisible()
    if (await agreement.isVisible()) {
      await look(page)
      await agreement.check()
      await screens.button('Увійти').click()
    }
    await expect(screens.heading('Введіть код')).toBeVisible()
    await look(page)
    // The code is not used. It is aged, so that the next one can be requested at once.
    ageCodes(cabinet, phone, 1)
  })
})
