import { externalUrl } from './external-url'

/** An empty tab that waits for its address. */
export interface WaitingTab {
  /** Opens the address in the tab. Returns whether that was possible. */
  go(address: string | null | undefined): boolean
  close(): void
}

/**
 * Opens an empty tab. Must be called in the click handler, since browsers block tabs that are opened after an answer has come.
 * The tab has no reference to this page, so the acquirer's page cannot control the cabinet.
 */
export function openWaitingTab(): WaitingTab {
  const tab = window.open('', '_blank')
  if (tab !== null) {
    tab.opener = null
  }
  return {
    go(address) {
      const url = externalUrl(address)
      if (url === null || tab === null) {
        tab?.close()
        return false
      }
      tab.location.replace(url)
      return true
    },
    close() {
      tab?.close()
    },
  }
}
