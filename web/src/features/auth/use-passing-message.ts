import { useEffect, useState } from 'react'

/** How long a message is shown under the field (specification, points 8 and 9). */
const shownMilliseconds = 3000

interface PassingMessage {
  /** A function, since the language may be switched while the message is shown. */
  readonly text: () => string
  readonly passed: boolean
}

/**
 * A message of the server. It is shown under the field for three seconds, as the specification requires, and then beside the button
 * until the next change.
 */
export function usePassingMessage() {
  const [message, setMessage] = useState<PassingMessage | null>(null)

  useEffect(() => {
    if (message === null || message.passed) return undefined
    const timer = setTimeout(() => setMessage({ ...message, passed: true }), shownMilliseconds)
    return () => clearTimeout(timer)
  }, [message])

  return {
    underField: message !== null && !message.passed ? message.text() : null,
    byButton: message?.passed ? message.text() : null,
    show: (text: () => string) => setMessage({ text, passed: false }),
    clear: () => setMessage(null),
  }
}
