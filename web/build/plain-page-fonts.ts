import type { Plugin } from 'vite'

/**
 * Writes `/fonts.css`: the typeface of the pages for those that the server makes by itself (the offer, the check of a receipt, the
 * frame of saved cards). The fonts' own addresses change with every version of them; this one stays.
 */
export function plainPageFonts(): Plugin {
  return {
    name: 'cabinet:plain-page-fonts',
    apply: 'build',
    enforce: 'post',
    generateBundle(_, bundle) {
      const styles = Object.values(bundle).flatMap((output) =>
        output.type === 'asset' && output.fileName.endsWith('.css') ? [String(output.source)] : [],
      )
      const faces = styles
        .flatMap((style) => style.match(/@font-face\s*\{[^}]*\}/gu) ?? [])
        .filter((face) => face.includes('.woff2'))
      if (faces.length === 0) throw new Error('The build has no fonts for the pages of the server.')
      this.emitFile({ type: 'asset', fileName: 'fonts.css', source: faces.join('\n') })
    },
  }
}
