import type { MessageDescriptor } from '@lingui/core'
import { useLingui } from '@lingui/react/macro'
import { Outlet, useMatches, useRouter, type AnyRouteMatch } from '@tanstack/react-router'
import { useEffect, useRef, type MouseEvent } from 'react'
import { announce, LiveRegion } from '@/ui/live-region'
import { setPageTitle, spokenTitle } from '@/ui/page-title'
import { ToastRegion } from '@/ui/toast'

function skip(event: MouseEvent) {
  event.preventDefault()
  const main = document.querySelector<HTMLElement>('main')
  main?.focus()
  main?.scrollIntoView()
}

/** The root of every page: skip link, document title, toasts and live region. */
export function Root() {
  const { t } = useLingui()
  usePageTitle()
  useFocusAfterNavigation()

  return (
    <>
      <a
        href="#main"
        onClick={skip}
        className="fixed top-2 left-2 z-50 -translate-y-24 print:hidden rounded-md bg-seal px-4 py-3 font-medium text-on-seal focus:translate-y-0"
      >
        {t`До вмісту сторінки`}
      </a>
      <Outlet />
      <ToastRegion />
      <LiveRegion />
    </>
  )
}

/** The page's part of the document title. Error pages set their own (`usePageTitleInstead`). */
function titleOf(matches: readonly AnyRouteMatch[]): MessageDescriptor | undefined {
  return matches.findLast(({ staticData }) => staticData.title)?.staticData.title
}

/** Sets the document title in the current language. */
function usePageTitle() {
  const { i18n } = useLingui()
  const title = useMatches({ select: titleOf })
  const name = title === undefined ? undefined : i18n._(title)
  useEffect(() => setPageTitle(name), [name])
}

/**
 * After a navigation the focus moves to the element that the address names, or to the new page's heading, so that a screen reader
 * announces the page. If the page has focused a field or its Pay button, the title is announced instead.
 */
function useFocusAfterNavigation() {
  const router = useRouter()
  const path = useRef<string | null>(null)
  useEffect(() => {
    // The first page may have been rendered already.
    path.current ??= router.state.resolvedLocation?.pathname ?? null
    return router.subscribe('onRendered', ({ toLocation }) => {
      const first = path.current === null
      const moved = path.current !== toLocation.pathname
      path.current = toLocation.pathname
      if (first || !moved) return
      const named = document.getElementById(toLocation.hash)
      if (named !== null) return named.focus()
      if (document.activeElement?.matches('main :is(input, [data-pay])')) announce(spokenTitle())
      else document.querySelector<HTMLElement>('[data-page-heading]')?.focus({ preventScroll: true })
    })
  }, [router])
}
