import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { defineConfig } from '@playwright/test'

/**
 * The system's browser: nothing is downloaded for these tests. Its headless shell, the same version without the windows around the pages,
 * does the same pages with half the processor.
 */
function chromium(): string {
  const chosen = process.env['E2E_CHROMIUM']
  if (chosen !== undefined && chosen !== '') return chosen
  for (const name of ['chromium-headless-shell', 'chromium']) {
    const found = spawnSync('which', [name], { encoding: 'utf8' }).stdout.trim()
    if (found !== '') return found
  }
  throw new Error('There is no chromium here. `make test` installs it; E2E_CHROMIUM names another one.')
}

/** Files that read or damage an SQLite database, or end the process that has the sandbox. */
const ONE_PROCESS_ONLY = ['leaks.spec.ts', 'offline.spec.ts', 'stopped.spec.ts', 'trouble.spec.ts']
const isOneProcess = (process.env['E2E_PROCESSES'] ?? '1') === '1'

export default defineConfig({
  testDir: './specs',
  outputDir: './results',
  // The tests of a file share one cabinet, so one worker runs them in order.
  fullyParallel: false,
  workers: availableParallelism(),
  forbidOnly: true,
  retries: 0,
  // These tests do not measure speed. The limits are long, so that a busy machine does not fail them.
  timeout: 300_000,
  expect: { timeout: 30_000, toPass: { timeout: 60_000 } },
  reporter: [['list'], ['./support/reasons.ts']],
  use: {
    locale: 'uk-UA',
    timezoneId: 'Europe/Kyiv',
    colorScheme: 'light',
    contextOptions: { reducedMotion: 'reduce' },
    viewport: { width: 1280, height: 900 },
    // With a service worker the browser asks for files where the tests can't withhold them; `offline.spec.ts` allows it.
    serviceWorkers: 'block',
    // A trace doubles the time of a test, so `scripts/test` runs the failed ones once more for it.
    trace: 'off',
    screenshot: 'only-on-failure',
    // SLOWMO: how long the test process stands still after each step, in milliseconds. It finds tests that depend on speed.
    launchOptions: { executablePath: chromium(), slowMo: Number(process.env['SLOWMO'] ?? '0') },
  },
  projects: [
    {
      name: 'product',
      testIgnore: ['pictures.spec.ts', 'tour.spec.ts', ...(isOneProcess ? [] : ONE_PROCESS_ONLY)],
    },
    { name: 'pictures', testMatch: 'pictures.spec.ts' },
    // Hundreds of pictures, taken by `make screenshots` only.
    ...(process.env['E2E_PICTURES'] === '1' ? [{ name: 'tour', testMatch: 'tour.spec.ts' }] : []),
  ],
})
