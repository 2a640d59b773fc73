/** The document's title: the page's own name, the product's, and a word in front when the page has errors. */
import { useEffect } from 'react'

let title = ''
const prefixes: string[] = []
const instead: string[] = []

function write() {
  document.title = [...prefixes, instead.at(-1) ?? title].join(': ')
}

/** Names the page; the application calls it at every change of the route and of the language. */
export function setPageTitle(name: string): void {
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
