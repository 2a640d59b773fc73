/**
 * Registers the service worker, with which the cabinet opens without a connection. The development server has none. Called when the
 * browser is idle: the worker loads all files of this version.
 */
export function registerServiceWorker(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  // Where a browser forbids it, the cabinet only needs a connection.
  navigator.serviceWorker.register('/sw.js').catch(() => undefined)
}
