// Lets the cabinet open without a connection. Keeps only the built files of this version: nothing that the server answered to a call,
// and no address that was opened. The build fills in the list of files and the version (`service-worker.ts`).
/* global VERSION, FILES */
const cacheName = `cabinet-${VERSION}`
const shell = '/'
const files = new Set(FILES)

/** Other pages of the server: they have nothing to show without it. */
const isOfServer = (path) =>
  /^\/(?:api|cards-frame|connection|offer|check|pay|letters|healthz|readyz|metrics)(?:\/|$)/u.test(path)

/** Files that are asked for at a time: the server limits the requests of one address, and the page needs its own. */
const AT_A_TIME = 3

/** Puts a file into the cache. One with a hash in its name may be taken from the former version. */
async function keep(cache, path) {
  const isHashed = path.startsWith('/assets/')
  const former = isHashed ? await caches.match(path) : undefined
  if (former === undefined)
    await cache.add(new Request(path, { credentials: 'omit', cache: isHashed ? 'default' : 'no-cache' }))
  else await cache.put(path, former)
}

self.addEventListener('install', (event) => {
  const waiting = [shell, ...files]
  async function keepNext(cache) {
    const path = waiting.shift()
    if (path === undefined) return
    await keep(cache, path)
    await keepNext(cache)
  }
  event.waitUntil(
    (async () => {
      const cache = await caches.open(cacheName)
      // A file that can't be had leaves the former version in place.
      await Promise.all(Array.from({ length: AT_A_TIME }, () => keepNext(cache)))
      await self.skipWaiting()
    })(),
  )
})

self.addEventListener('activate', (event) => {
  event.waitUntil(
    (async () => {
      const names = await caches.keys()
      await Promise.all(names.filter((name) => name !== cacheName).map((name) => caches.delete(name)))
      await self.clients.claim()
    })(),
  )
})

/** The file of this version. */
const kept = async (path) => (await caches.open(cacheName)).match(path)

/** The answer of the server; without a connection the kept file. */
async function fromServer(request, path) {
  try {
    return await fetch(request)
  } catch (cause) {
    const file = await kept(path)
    if (file === undefined) throw cause
    return file
  }
}

self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== self.location.origin) return
  if (request.mode === 'navigate') {
    const isPage = request.destination === 'document' && !isOfServer(pathname)
    if (isPage) event.respondWith(fromServer(request, shell))
    return
  }
  if (!files.has(pathname)) return
  // Names in this folder contain a hash of the content, so a kept file is never an old one.
  if (pathname.startsWith('/assets/'))
    event.respondWith(kept(pathname).then((file) => file ?? fetch(request)))
  else event.respondWith(fromServer(request, pathname))
})
