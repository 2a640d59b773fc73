import { fileURLToPath } from 'node:url'
import { lingui, linguiTransformerBabelPreset } from '@lingui/vite-plugin'
import babel from '@rolldown/plugin-babel'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { comingPages } from './build/coming-pages'
import { plainPageFonts } from './build/plain-page-fonts'
import { preloadFirstPage } from './build/preload-first-page'

const server = 'http://127.0.0.1:8080'

export default defineConfig(({ command }) => ({
  plugins: [
    tailwindcss(),
    react(),
    // A sentence without its English twin stops the build instead of reaching a notary.
    lingui({ failOnMissing: command === 'build', failOnCompileError: true }),
    babel({ presets: [linguiTransformerBabelPreset()] }),
    comingPages(),
    preloadFirstPage(),
    plainPageFonts(),
  ],
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  server: {
    port: 5173,
    proxy: {
      '/api': { target: server },
      '/connection': { target: server, ws: true },
    },
  },
  build: {
    outDir: 'dist',
    manifest: true,
    // Nothing is inlined: the content security policy of the server allows no data: scripts or fonts.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // Every browser that knows light-dark() knows modulepreload.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // Changes only with the libraries, so it stays in the browser's cache over most updates.
            // The router's blocker goes with the profile, the one page that asks before it is left.
            {
              name: 'vendor',
              test: /node_modules[\\/](?:react|react-dom|scheduler|use-sync-external-store|openapi-fetch|@lingui|@tanstack[\\/](?:history|react-router(?![\\/]dist[\\/]esm[\\/]useBlocker)|react-store|router-core|store))[\\/]/u,
              priority: 2,
            },
            // What the first page and most others share, in one file instead of thirty.
            {
              name: 'frame',
              test: /src[\\/](?:app[\\/](?:brand|brand-mark|catalogs|footer|footer-frame|switches)|api[\\/](?:client|config|failure|session|use-config)|i18n[\\/](?:i18n|message-texts)|forms[\\/](?:draft|read-fields|shown-errors|use-form)|lib[\\/](?:phone|registry-identifier|result|text|use-online)|ui[\\/](?:apply-mask|button|checkbox|cx|empty-state|field|icons|live-region|masked-field|menu|notice|page-heading|page-title|phone-field|phone-format|seal|spinner|text-field|toast))\.tsx?$/u,
              priority: 1,
            },
            // What the pages of a signed-in notary share, beside the frame: asked for at once and not in twenty files.
            {
              name: 'query',
              test: /node_modules[\\/]@tanstack[\\/](?:query-core|react-query)[\\/]/u,
              priority: 1,
            },
            {
              name: 'cabinet',
              test: /src[\\/](?:api[\\/](?:cart|cart-count|orders|payment-types|query-client|user)|lib[\\/](?:commission|dates|external-url|money|order-status|payment-kind|tariff)|ui[\\/](?:description-list|dialog|load-more|money-field|radio|record-table|select|sheet|skeleton|status-mark|sum|tabs|text-area))\.tsx?$/u,
              priority: 1,
            },
            // What the pages of a login share; the first of them needs all of it.
            {
              name: 'login',
              test: /src[\\/](?:api[\\/]login|features[\\/]auth[\\/](?:agreement|auth-sheet|guest-draft|login-sheet|read|refusal-text|steps|use-auth-form|use-passing-message))\.tsx?$/u,
              priority: 1,
            },
          ],
        },
      },
    },
  },
  test: {
    environment: 'jsdom',
    setupFiles: ['./src/testing/setup.ts'],
    restoreMocks: true,
    testTimeout: 20_000,
  },
}))
