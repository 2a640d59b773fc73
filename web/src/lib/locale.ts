/** The two interface languages; Ukrainian is the source and the default. */
export type Locale = 'uk' | 'en'

/** The language tag for `Intl`, so that dates follow the interface and not the browser. */
export function intlTag(locale: Locale): string {
  return locale === 'uk' ? 'uk-UA' : 'en-GB'
}
