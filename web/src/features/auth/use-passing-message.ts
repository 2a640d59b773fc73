import { useEffect, useState } from 'react'

/** How long an answer of the server stands under the field (specification, points 8 and 9). */
const shownMilliseconds = 3000

interface PassingMessage {
  /** In the language spoken when it is drawn: that may be switched while the message stands. */
  readonly text: () => string
  readonly passed: boolean
}

/**
 * An answer of the server to what was typed. It stands under the field for three seconds, as the specification has it; then
 * a quiet line by the button keeps it until the next keystroke, so that nobody misses it.
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
