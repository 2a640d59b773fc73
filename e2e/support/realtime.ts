import type { Page } from '@playwright/test'

/** A network that lets nothing of the realtime channel through, as some firewalls do: the page has to ask by itself. */
export async function blockRealtime(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.setBlockedURLs', {
    urls: ['*/connection/websocket*', '*/api/cntr/tkn*'],
  })
}

/** Resolves when the page hears the realtime channel that it asks for next. */
export function listening(page: Page): Promise<unknown> {
  return page.waitForEvent('websocket').then((socket) =>
    socket.waitForEvent('framereceived', {
      predicate: ({ payload }) => String(payload).includes('"subscribe"'),
    }),
  )
}
