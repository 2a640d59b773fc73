import type { Page } from '@playwright/test'

/** Blocks the realtime channel, as some firewalls do, so that the page has to poll. */
export async function blockRealtime(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.setBlockedURLs', {
    urls: ['*/connection/websocket*', '*/api/cntr/tkn*'],
  })
}

/** Resolves when the page has subscribed to its next realtime channel. */
export function listening(page: Page): Promise<unknown> {
  return page.waitForEvent('websocket').then((socket) =>
    socket.waitForEvent('framereceived', {
      predicate: ({ payload }) => String(payload).includes('"subscribe"'),
    }),
  )
}
