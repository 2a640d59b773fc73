/**
 * Checks an address that came from outside (the acquirer's page) before the browser is sent there. Only web addresses are
 * allowed; an unencrypted one only where the cabinet itself is unencrypted, as with a local sandbox. A `javascript:` or `data:`
 * address would run as a script of the cabinet.
 */
export function externalUrl(
  text: string | null | undefined,
  ownProtocol = window.location.protocol,
): string | null {
  if (text === null || text === undefined || text === '' || !URL.canParse(text)) {
    return null
  }
  const url = new URL(text)
  const isAllowed = url.protocol === 'https:' || (url.protocol === 'http:' && ownProtocol === 'http:')
  return isAllowed && url.username === '' && url.password === '' ? url.href : null
}

/** The same for an address of our own server, which may be a path only: `/offer`. */
export function serverUrl(text: string | null | undefined): string | null {
  if (text === null || text === undefined || !URL.canParse(text, window.location.origin)) return null
  return externalUrl(new URL(text, window.location.origin).href)
}
