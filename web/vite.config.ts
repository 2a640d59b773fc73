import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { lingui, linguiTransformerBabelPreset } from '@lingui/vite-plugin'
import babel from '@rolldown/plugin-babel'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { chunks } from './build/chunks'
import { comingPages } from './build/coming-pages'
import { limits } from './build/limits'
import { plainPageFonts } from './build/plain-page-fonts'
import { plainImports } from './build/plain-imports'
import { preloadPages } from './build/preload-pages'
import { reactModules } from './build/react-modules'
import { serviceWorker } from './build/service-worker'
import { alone, together } from './build/test-files'

const server = `http://${process.env['CABINET_LISTEN'] ?? '127.0.0.1:8080'}`

export default defineConfig(({ command }) => ({
  plugins: [
    tailwindcss(),
    react(),
    // A sentence without an English translation fails the build.
    lingui({ failOnMissing: command === 'build', failOnCompileError: true }),
    babel({ presets: [linguiTransformerBabelPreset()] }),
    comingPages(),
    chunks(),
    plainImports(),
    reactModules(),
    preloadPages(),
    plainPageFonts(),
    limits(),
    serviceWorker(),
  ],
  resolve: {
    alias: {
      '@': fileURLToPath(new URL('./src', import.meta.url)),
      // Current React versions contain what these libraries add for older ones.
      'use-sync-external-store/shim/with-selector': 'use-sync-external-store/with-selector',
      'use-sync-external-store/shim': 'react',
    },
  },
  server: {
    port: 5173,
    proxy: {
      '/api': { target: server },
      '/connection': { target: server, ws: true },
    },
  },
  build: {
    outDir: 'dist',
    // Nothing is inlined: the content security policy of the server allows no data: scripts or fonts.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // Every browser that supports light-dark() also supports modulepreload. The document names the imports of each chunk
    // (`preloadPages`), since a list of them in the first script would be larger.
    modulePreload: { polyfill: false, resolveDependencies: () => [] },
  },
  test: {
    environment: 'jsdom',
    setupFiles: ['./src/testing/setup.ts'],
    restoreMocks: true,
    // One for each core; by default one core is left to the watcher, which a single run does not have.
    maxWorkers: availableParallelism(),
    // Limits only end what hangs: a busy machine may need long.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    projects: [
      { extends: true, test: { name: 'alone', include: alone } },
      { extends: true, test: { name: 'together', include: together, isolate: false } },
    ],
  },
}))
