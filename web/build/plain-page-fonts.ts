import type { Plugin } from 'vite'

/**
 * Writes `/fonts.css`, the fonts for the pages that the server renders itself (the offer, the check of a receipt, the
 * frame of saved cards). Its address is fixed, while those of the fonts change with each version.
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
