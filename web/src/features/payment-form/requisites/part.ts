/** What a payment to any requisites needs of the form: loaded after the form is shown. */
export { readTypedRecipient } from './read-typed-recipient'
export { RequisitesFields } from './requisites-fields'
