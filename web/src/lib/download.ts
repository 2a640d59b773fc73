/** How long the object URL stays valid for the browser to read the bytes. */
const RELEASE_DELAY_MS = 60_000

/** Saves bytes as a download with this file name. */
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
