/** A call was answered by a refusal. */
export class Refused extends Error {
  constructor(path, { status, body }) {
    super(`${path}: ${status} ${JSON.stringify(body)}`)
    this.status = status
    this.body = body
  }
}
