/** How long the browser is given to take the bytes over before their address is freed. */
const RELEASE_DELAY_MS = 60_000

/** Hands bytes to the browser's downloads under the given file name. */
export function saveFile(bytes: Blob, fileName: string): void {
  const address = URL.createObjectURL(bytes)
  const link = document.createElement('a')
  link.href = address
  link.download = fileName
  document.body.append(link)
  link.click()
  link.remove()
  window.setTimeout(() => URL.revokeObjectURL(address), RELEASE_DELAY_MS)
}
