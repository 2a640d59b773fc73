import { execFileSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { defineConfig } from '@playwright/test'

/** The browser of the system: nothing is downloaded for these tests. */
function chromium(): string {
  const chosen = process.env['E2E_CHROMIUM']
  if (chosen !== undefined && chosen !== '') return chosen
  try {
    return execFileSync('which', ['chromium'], { encoding: 'utf8' }).trim()
  } catch {
    throw new Error('There is no chromium here. `make test` installs it; E2E_CHROMIUM names another one.')
  }
}

export default defineConfig({
  testDir: './specs',
  outputDir: './results',
  // A file is one worker's, in order: its tests share one running cabinet.
  fullyParallel: false,
  workers: availableParallelism(),
  forbidOnly: true,
  retries: 0,
  // Nothing here measures speed: a busy machine is waited for, and only what does not come at all fails.
  timeout: 300_000,
  expect: { timeout: 30_000, toPass: { timeout: 60_000 } },
  reporter: [['list'], ['./support/reasons.ts']],
  use: {
    locale: 'uk-UA',
    timezoneId: 'Europe/Kyiv',
    colorScheme: 'light',
    contextOptions: { reducedMotion: 'reduce' },
    viewport: { width: 1280, height: 900 },
    trace: 'retain-on-failure',
    screenshot: 'only-on-failure',
    launchOptions: { executablePath: chromium() },
  },
  projects: [
    { name: 'product', testIgnore: ['pictures.spec.ts', 'tour.spec.ts'] },
    { name: 'pictures', testMatch: 'pictures.spec.ts' },
    // Hundreds of pictures to look at: only `make screenshots` asks for them.
    ...(process.env['E2E_PICTURES'] === '1' ? [{ name: 'tour', testMatch: 'tour.spec.ts' }] : []),
  ],
})
