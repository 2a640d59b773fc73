import { fileURLToPath } from 'node:url'
import { lingui, linguiTransformerBabelPreset } from '@lingui/vite-plugin'
import babel from '@rolldown/plugin-babel'
import react from '@vitejs/plugin-react'
import { runnerImport, type Plugin } from 'vite'

const place = '<!-- coming pages -->'

/** Writes the static HTML of the first pages (`coming-pages.tsx`) into the document. */
export function comingPages(): Plugin {
  return {
    name: 'cabinet:coming-pages',
    apply: 'build',
    transformIndexHtml: {
      order: 'pre',
      async handler(html) {
        if (!html.includes(place)) throw new Error(`index.html has no ${place}.`)
        const { module } = await runnerImport<{ comingPages: () => string }>(
          '/src/app/coming/coming-pages.tsx',
          {
            configFile: false,
            mode: 'production',
            plugins: [react(), lingui(), babel({ presets: [linguiTransformerBabelPreset()] })],
            resolve: { alias: { '@': fileURLToPath(new URL('../src', import.meta.url)) } },
          },
        )
        return html.replace(place, module.comingPages())
      },
    },
  }
}
