import type { Plugin } from 'vite'

/** No line begins with a dash, and none of Ukrainian ends with a word of one letter: «у» stays beside what is in it. */
export function holdShortWords(text: string): string {
  return text.replaceAll(' – ', '\u00A0– ').replaceAll(/(?<=^|["\s«(])([авзійоуяє]) (?=\S)/giu, '$1\u00A0')
}

/** Sets the sentences of the catalogues as a printer would; those who write them need not think of it. For what is built, not for tests. */
export function setCatalogues(): Plugin {
  return {
    name: 'cabinet:set-catalogues',
    enforce: 'post',
    transform: {
      filter: { id: /\.po(?:$|\?)/u },
      handler: (code) => ({ code: holdShortWords(code), map: null }),
    },
  }
}
