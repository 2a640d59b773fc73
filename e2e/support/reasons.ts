import type { Reporter, TestCase, TestError, TestResult } from '@playwright/test/reporter'
import { stripVTControlCharacters } from 'node:util'

const LINES_OF_A_REASON = 12

/** Prints the reasons of all failures and their places at the end of the log. */
export default class Reasons implements Reporter {
  readonly #reasons: string[] = []
  readonly #places: string[] = []

  onTestEnd(test: TestCase, result: TestResult): void {
    if (result.status === test.expectedStatus) return
    const place = `${test.location.file.replace(/^.*\/(?=specs\/)/, '')}:${test.location.line}`
    this.#add(place, test.title, result.errors)
  }

  /** Records what failed outside of every test, such as the search for leaks after the last test of a file. */
  onError(error: TestError): void {
    const { file = '', line = 0 } = error.location ?? {}
    this.#add(`${file.replace(/^.*\/(?=support\/|specs\/)/, '')}:${line}`, 'outside of the tests', [error])
  }

  #add(place: string, title: string, errors: readonly TestError[]): void {
    const lines = errors
      .flatMap(({ message = '', value = '' }) => stripVTControlCharacters(message || value).split('\n'))
      .filter((line) => line.trim() !== '')
    this.#places.push(place)
    this.#reasons.push(`${place} ${title}`, ...lines.slice(0, LINES_OF_A_REASON).map((line) => `  ${line}`))
  }

  onEnd(): void {
    if (this.#places.length === 0) return
    process.stdout.write(`\n${this.#reasons.join('\n')}\n\nFailed: ${this.#places.join(', ')}\n`)
  }
}
