/** The document's title: a prefix where the page has errors, the page's title, and the application's. */
import { useEffect } from 'react'

/** The application's title, the same in every language (specification, point 1). */
const application = 'Notary dashboard'

let title: string | undefined
const prefixes: string[] = []
const instead: string[] = []

const ofPage = () => instead.at(-1) ?? title

const withPrefixes = (name: string) => [...prefixes, name].join(': ')

function write() {
  const page = ofPage()
  document.title = withPrefixes(page === undefined ? application : `${page} – ${application}`)
}

/** The title as it is spoken: without the application's, which is English on Ukrainian pages, too. */
export const spokenTitle = (): string => withPrefixes(ofPage() ?? application)

/** Sets the title of the page, or null for none. Called after every change of the route and of the language. */
export function setPageTitle(name: string | undefined): void {
  title = name
  write()
}

/** Replaces the title of the page while the component is mounted: it shows something else than the address names. */
export function usePageTitleInstead(name: string): void {
  useEffect(() => {
    instead.push(name)
    write()
    return () => {
      instead.splice(instead.indexOf(name), 1)
      write()
    }
  }, [name])
}

/** Puts a prefix before the title while the component is mounted and `word` is not null. */
export function usePageTitlePrefix(word: string | null): void {
  useEffect(() => {
    if (word === null) return undefined
    prefixes.unshift(word)
    write()
    return () => {
      prefixes.splice(prefixes.indexOf(word), 1)
      write()
    }
  }, [word])
}
