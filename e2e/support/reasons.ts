import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter'
import { stripVTControlCharacters } from 'node:util'

const LINES_OF_A_REASON = 6

/** Prints the reasons of all failures and their places at the end of the log. */
export default class Reasons implements Reporter {
  readonly #reasons: string[] = []
  readonly #places: string[] = []

  onTestEnd(test: TestCase, result: TestResult): void {
    if (result.status === test.expectedStatus) return
    const place = `${test.location.file.replace(/^.*\/(?=specs\/)/, '')}:${test.location.line}`
    const lines = result.errors
      .flatMap(({ message = '' }) => stripVTControlCharacters(message).split('\n'))
      .filter((line) => line.trim() !== '')
    this.#places.push(place)
    this.#reasons.push(
      `${place} ${test.title}`,
      ...lines.slice(0, LINES_OF_A_REASON).map((line) => `  ${line}`),
    )
  }

  onEnd(): void {
    if (this.#places.length === 0) return
    process.stdout.write(`\n${this.#reasons.join('\n')}\n\nFailed: ${this.#places.join(', ')}\n`)
  }
}
