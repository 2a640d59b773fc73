// Payments of a usual day, by the calls of the API.

import { CLIENT, OWN_ACCOUNT, paymentOf } from '../lib/payments.mjs'

/** Five clients with right check digits. */
export const CLIENTS = [
  { full_name: 'Гнатюк Петро Олександрович', inn: '3652504575' },
  CLIENT,
  { full_name: 'ТОВ «Зоря»', inn: '37193071' },
  { full_name: 'Бондар Оксана Юріївна', inn: '3068208400' },
  { full_name: 'Мельник Ольга Сергіївна', inn: '2933812345' },
]

/** The region of the capital, where these notaries work. */
export const REGION = 'ua-30'

/** Fills in the account of a notary. */
export const ownAccount = (notary) => notary.post('/me', { ...OWN_ACCOUNT, inn: OWN_ACCOUNT.okpo })

/** Adds an administrative fee with the first choice of every list. */
export async function addFee(notary, client) {
  await notary.add(await paymentOf(notary, 'admin_payment', client, { region: REGION }))
}

/** Adds a payment to a company. */
export async function addRequisites(notary, client) {
  const purpose = `За послуги з виготовлення технічного паспорта, ${client.full_name}, код ${client.inn}`
  await notary.add({ ...(await paymentOf(notary, 'requisites_payment', client)), purpose })
}
