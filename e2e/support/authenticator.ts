import type { CDPSession, Page } from '@playwright/test'

/** A virtual authenticator of Chromium, which answers by itself. */
export class Authenticator {
  readonly #cdp: CDPSession
  readonly #id: string

  private constructor(cdp: CDPSession, id: string) {
    this.#cdp = cdp
    this.#id = id
  }

  static async of(page: Page): Promise<Authenticator> {
    const cdp = await page.context().newCDPSession(page)
    await cdp.send('WebAuthn.enable')
    const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
    return new Authenticator(cdp, authenticatorId)
  }

  async credentials() {
    const answer = await this.#cdp.send('WebAuthn.getCredentials', { authenticatorId: this.#id })
    return answer.credentials
  }

  /** Copies the passkeys of another device. */
  async copy(other: Authenticator): Promise<void> {
    for (const credential of await other.credentials())
      await this.#cdp.send('WebAuthn.addCredential', { authenticatorId: this.#id, credential })
  }

  /** Whether its user is recognised from now on. */
  async verifies(isUserVerified: boolean): Promise<void> {
    await this.#cdp.send('WebAuthn.setUserVerified', { authenticatorId: this.#id, isUserVerified })
  }
}
