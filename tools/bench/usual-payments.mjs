// Payments of a usual day, by the calls of the API.

export const OWN_IBAN = 'UA363220010000026000000012345'
export const OWN_CODE = '3184710691'

/** Five clients with right check digits. */
export const CLIENTS = [
  { full_name: 'Гнатюк Петро Олександрович', inn: '3652504575' },
  { full_name: 'Коваленко Марія Петрівна', inn: '3184710691' },
  { full_name: 'ТОВ «Зоря»', inn: '37193071' },
  { full_name: 'Бондар Оксана Юріївна', inn: '3068208400' },
  { full_name: 'Мельник Ольга Сергіївна', inn: '2933812345' },
]

/** Fills in the account of a notary, by a code that names it. */
export async function ownAccount(cabinet, call, phone) {
  const account = { iban: OWN_IBAN, okpo: OWN_CODE }
  const { operation_id } = await call('/auth/confirmation', { act: { profile: { account } } })
  await call('/auth/confirmation/otp', { otp_code: await cabinet.code(phone), operation_id })
  await call('/me', { ...account, inn: OWN_CODE })
}

const typeOf = async (call, slug) =>
  (await call('/payment-types')).payment_types.find((one) => one.slug === slug).id

/** An administrative fee with the first choice of every list, as `/cart/add` takes it. */
export async function fee(call, client) {
  const type = await typeOf(call, 'admin_payment')
  const { options } = await call(`/payment-types/fields?payment_type_id=${type}`)
  const { terms } = await call(`/payment-types/option/terms?payment_type_option_id=${options[0].id}`)
  const { requisites: recipients } = await call(
    `/payment-types/region/requisites?payment_type_region_id=ua-30&payment_type_id=${type}&payment_type_option_term_id=${terms[0].id}`,
  )
  return {
    client,
    payment_type_id: type,
    payment_type_option_id: options[0].id,
    payment_type_option_term_id: terms[0].id,
    payment_type_region_id: 'ua-30',
    payment_type_requisite_id: recipients[0].id,
    iban: OWN_IBAN,
    okpo: OWN_CODE,
  }
}

/** A payment to a company, as `/cart/add` takes it. */
export async function requisites(call, client) {
  return {
    client,
    payment_type_id: await typeOf(call, 'requisites_payment'),
    amount: 340.5,
    iban: 'UA213223130000026007233566001',
    okpo: '37193071',
    recipient_name: 'ТОВ «Приклад»',
    purpose: `За послуги з виготовлення технічного паспорта, ${client.full_name}, код ${client.inn}`,
  }
}

/** Pays all that is in the cart on the bank's page. */
export async function payAll(cabinet, call) {
  for (;;) {
    const { groups } = await call('/cart')
    if (groups.length === 0) return
    await payGroup(cabinet, call, groups[0].client.id)
  }
}

/** Orders and pays the payments of a client, and saves the card. */
export async function payGroup(cabinet, call, clientId) {
  const { order } = await call(
    '/order/create',
    { client_id: clientId, locale: 'uk' },
    { 'idempotency-key': crypto.randomUUID() },
  )
  const invoice = new URL(order.widget_url).pathname.replace(/\/+$/u, '').split('/').at(-1)
  const answer = await fetch(`${cabinet.sandbox}/sandbox/invoices/${invoice}/pay`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ card: '4242424242424242', save_card: true }),
  })
  if (!answer.ok) throw new Error(`the sandbox refused the card: ${await answer.text()}`)
  for (;;) {
    const { order: now } = await call(`/order/${order.id}?update_status=1`)
    if (now.status === 'paid') return
    await new Promise((done) => setTimeout(done, 100))
  }
}
