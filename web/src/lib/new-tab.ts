import { externalUrl } from './external-url'

/** A tab that was opened at once and waits for its address. */
export interface WaitingTab {
  /** Sends the tab to the address and answers whether that was possible. */
  go(address: string | null | undefined): boolean
  close(): void
}

/**
 * Opens an empty tab within the click, since a browser blocks one that is opened after an answer has
 * come. The tab knows nothing of this page: the acquirer's page gets no handle on the cabinet.
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
