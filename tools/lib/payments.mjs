// Payments as the call `/cart/add` takes them.

/** A client whose tax id has the right check digit. */
export const CLIENT = { inn: '3184710691', full_name: 'Коваленко Марія Петрівна' }

/** Accounts with the right checksum: the own one of a notary, with her code, and one of a person at a bank. */
export const OWN_ACCOUNT = { iban: 'UA363220010000026000000012345', okpo: '3184710691' }
export const PERSON_IBAN = 'UA213223130000026007233566001'

/** What a payment to a company says besides its client and its kind. */
export const requisites = ({ inn, full_name }) => ({
  amount: 340.5,
  iban: PERSON_IBAN,
  okpo: '37193071',
  recipient_name: 'ТОВ «Приклад»',
  purpose: `За послуги, ${full_name}, код ${inn}`,
})

/** The recipient of a kind of payment in a region, with the option's term; undefined where the region has none. */
export async function recipientIn(notary, region, type, term) {
  const { requisites: recipients } = await notary.get(
    `/payment-types/region/requisites?payment_type_region_id=${region}&payment_type_id=${type}${term ? `&payment_type_option_term_id=${term}` : ''}`,
  )
  return recipients[0]?.id
}

/** The first choice of every list of a fee. */
async function firstChoices(notary, { id: type, slug }, wantedRegion) {
  const { options, regions } = await notary.get(`/payment-types/fields?payment_type_id=${type}`)
  const [option] = options
  const terms =
    slug === 'registry_payment'
      ? []
      : (await notary.get(`/payment-types/option/terms?payment_type_option_id=${option.id}`)).terms
  const term = terms[0]?.id
  for (const { id: region } of wantedRegion === undefined ? regions : [{ id: wantedRegion }]) {
    const recipient = await recipientIn(notary, region, type, term)
    if (recipient !== undefined)
      return {
        payment_type_option_id: option.id,
        ...(term === undefined ? {} : { payment_type_option_term_id: term }),
        payment_type_region_id: region,
        payment_type_requisite_id: recipient,
      }
  }
  throw new Error(`No region has a recipient for ${slug}.`)
}

/**
 * Returns a payment of a kind, with the first choice of every list. `account` is the one to which a fee for the notary's own work goes.
 *
 * @param {import('./notary.mjs').Notary} notary
 * @param {string} kind
 * @param {{ inn: string, full_name: string }} [client]
 * @param {{ region?: string, account?: { iban: string, okpo: string } }} [options]
 */
export async function paymentOf(notary, kind, client = CLIENT, { region, account = OWN_ACCOUNT } = {}) {
  const { payment_types } = await notary.get('/payment-types')
  const type = payment_types.find(({ slug }) => slug === kind)
  if (type === undefined) throw new Error(`There is no kind ${kind}.`)
  const choices =
    kind === 'requisites_payment' ? requisites(client) : await firstChoices(notary, type, region)
  return { client, payment_type_id: type.id, ...choices, ...(kind === 'admin_payment' ? account : {}) }
}
