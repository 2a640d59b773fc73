/** The demo notaries of the sandbox. */
export const PEOPLE = {
  byCode: '+380501112233',
  byCall: '+380502223344',
  byRegistryIdentifier: '+380503334455',
  legacyFlow: '+380504445566',
  notAgreed: '+380505556677',
  stateNotary: '+380506667788',
} as const

export const REGISTRY_IDENTIFIER = 'NOTAR12345'

/** `+380501112233` as the screen shows it while it is typed: `+38 (050) 111-22-33`. */
export function masked(phone: string): string {
  const digits = phone.slice(3)
  return `+38 (${digits.slice(0, 3)}) ${digits.slice(3, 6)}-${digits.slice(6, 8)}-${digits.slice(8)}`
}
