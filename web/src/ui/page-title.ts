/** The document's title: the page's own name, the application's, and a word in front when the page has errors. */
import { useEffect } from 'react'

/** The application's title, the same in every language (specification, point 1). */
const application = 'Notary dashboard'

let title: string | undefined
const prefixes: string[] = []
const instead: string[] = []

function write() {
  const page = instead.at(-1) ?? title
  const name = page === undefined ? application : `${page} – ${application}`
  document.title = [...prefixes, name].join(': ')
}

/** Names the page, if it has a name; the application calls it at every change of the route and of the language. */
export function setPageTitle(name: string | undefined): void {
  title = name
  write()
}

/** Names the page for as long as the component is drawn: what is shown is not what the address promised. */
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

/** Puts a word before the title for as long as the component is drawn and `word` is not null. */
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
