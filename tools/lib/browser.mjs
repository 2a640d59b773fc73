import { ADDRESS_HEADER } from './notary.mjs'

/**
 * Sends requests by a browser of Playwright, whose pages then have the session, too.
 *
 * @param {{ request: { fetch: Function } }} context
 * @returns {(method: string, url: string, request: import('./notary.mjs').Request) => Promise<import('./notary.mjs').Answer>}
 */
export const byBrowser =
  ({ request }) =>
  async (method, url, { headers, body }) => {
    // The address of the browser is that of its pages.
    const { [ADDRESS_HEADER]: _, ...others } = headers
    const answer = await request.fetch(url, { method, headers: others, ...(body && { data: body }) })
    const given = new Headers()
    for (const { name, value } of answer.headersArray()) given.append(name, value)
    return { status: answer.status(), headers: given, text: await answer.text() }
  }
