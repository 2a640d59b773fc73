import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * What changes the world for the tests that follow in the same process: modules and globals that are replaced, timers, and a route of the
 * application, whose session, caches and catalogues live as long as their modules.
 */
const changesTheWorld = /\bvi\.(mock|resetModules|stubGlobal|useFakeTimers)\b|testing\/render-(route|guest)/

const web = fileURLToPath(new URL('..', import.meta.url))

const files = globSync('src/**/*.test.{ts,tsx}', { cwd: web })

/** The test files that need a process of their own. */
export const alone = files.filter((file) => changesTheWorld.test(readFileSync(join(web, file), 'utf8')))

/** The other test files. They share processes, so that the environment is made once for each process and not for each file. */
export const together = files.filter((file) => !alone.includes(file))
