/** Passkeys as the browser offers them (W3C Web Authentication). Nothing here begins by itself: each call follows a press. */

/** Whether passkeys can be made and used here: not in older browsers, and not at an address without a name. */
export function hasPasskeys(host = location.hostname): boolean {
  return (
    typeof PublicKeyCredential === 'function' &&
    'parseCreationOptionsFromJSON' in PublicKeyCredential &&
    'parseRequestOptionsFromJSON' in PublicKeyCredential &&
    'toJSON' in PublicKeyCredential.prototype &&
    !isNumeric(host)
  )
}

/** Whether a host is a network address: browsers keep passkeys for names only. */
const isNumeric = (host: string) => /^[\d.]+$|^\[/u.test(host)

/** Why there is no passkey: nobody confirmed it, the authenticator has one already, or the browser can't. */
export type PasskeyTrouble = 'cancelled' | 'known' | 'unable'

export class PasskeyFailure extends Error {
  constructor(
    readonly trouble: PasskeyTrouble,
    options?: ErrorOptions,
  ) {
    super(trouble, options)
    this.name = 'PasskeyFailure'
  }
}

/** Has the browser make a passkey. Throws a `PasskeyFailure`. */
export async function makePasskey(
  options: PublicKeyCredentialCreationOptionsJSON,
): Promise<RegistrationResponseJSON> {
  const made = await answered(() =>
    navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) }),
  )
  return made as RegistrationResponseJSON
}

/** Has the browser sign by a passkey. Throws a `PasskeyFailure`. */
export async function signByPasskey(
  options: PublicKeyCredentialRequestOptionsJSON,
): Promise<AuthenticationResponseJSON> {
  const signed = await answered(() =>
    navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) }),
  )
  return signed as AuthenticationResponseJSON
}

async function answered(ask: () => Promise<Credential | null>): Promise<unknown> {
  try {
    const credential = await ask()
    if (!(credential instanceof PublicKeyCredential)) throw new PasskeyFailure('unable')
    return credential.toJSON()
  } catch (cause) {
    throw cause instanceof PasskeyFailure ? cause : new PasskeyFailure(troubleOf(cause), { cause })
  }
}

function troubleOf(cause: unknown): PasskeyTrouble {
  if (!(cause instanceof DOMException)) return 'unable'
  // Which of several reasons it was, no page is told.
  if (cause.name === 'NotAllowedError' || cause.name === 'AbortError') return 'cancelled'
  return cause.name === 'InvalidStateError' ? 'known' : 'unable'
}
