import { whenIdle } from './when-idle'

/** Whether somebody waits for the first screen of this load. */
let isAwaited = false

/** Called once, at the start: what is opened later is not measured from the navigation on. A page in the background is drawn late. */
export function awaitFirstScreen(): void {
  isAwaited = /^\/(?:login)?$/u.test(location.pathname) && !document.hidden
}

const millisecondsUntil = (paint: PerformanceEntry | undefined) => paint && Math.round(paint.startTime)

/** Tells the server, once for each load, how long the first screen took. Nothing says whose browser it was. */
export function firstScreenIsUsable(screen: 'login' | 'payment_form'): void {
  const isFirst = isAwaited
  isAwaited = false
  if (!isFirst || document.hidden) return
  const usable = Math.round(performance.now())
  whenIdle(() => withLargestPaint((largest) => tell(screen, usable, largest)))
}

/** Goes on with the largest paint so far. The browser may still have to tell of the one that has just been made. */
function withLargestPaint(goOn: (largest: PerformanceEntry | undefined) => void): void {
  const type = 'largest-contentful-paint'
  if (!PerformanceObserver.supportedEntryTypes.includes(type)) return goOn(undefined)
  const paints = new PerformanceObserver((list) => {
    paints.disconnect()
    goOn(list.getEntries().at(-1))
  })
  paints.observe({ type, buffered: true })
}

function tell(screen: string, usable: number, largest: PerformanceEntry | undefined): void {
  const body = JSON.stringify({
    screen,
    first_paint: millisecondsUntil(performance.getEntriesByName('first-contentful-paint')[0]),
    largest_paint: millisecondsUntil(largest),
    usable,
  })
  fetch('/api/page-timing', { method: 'POST', body, credentials: 'omit', keepalive: true }).catch(
    () => undefined,
  )
}
