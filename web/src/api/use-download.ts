import { useRef, useState } from 'react'

import { saveFile } from '@/lib/download'

import type { Receipt } from './receipts'

interface Download {
  /** Tells one button of a page from another. */
  readonly name: string
  readonly load: () => Promise<Receipt>
}

export interface Downloads {
  /** Begins it beside those that are under way; the same one is not begun twice. */
  readonly start: (download: Download) => void
  /** The names of those under way. */
  readonly running: ReadonlySet<string>
  /** Why the last one failed. */
  readonly failure: Error | null
}

/** Fetches documents with the session's token and hands them to the browser; a plain link could not carry the token. */
export function useDownloads(): Downloads {
  const [running, setRunning] = useState<ReadonlySet<string>>(new Set())
  const [failure, setFailure] = useState<Error | null>(null)
  // A state would come too late for the second click of a double one.
  const underWay = useRef(new Set<string>())

  async function start({ name, load }: Download) {
    if (underWay.current.has(name)) return
    underWay.current.add(name)
    setRunning(new Set(underWay.current))
    setFailure(null)
    try {
      const { bytes, fileName } = await load()
      saveFile(bytes, fileName)
    } catch (error) {
      setFailure(error instanceof Error ? error : new Error('document not loaded'))
    }
    underWay.current.delete(name)
    setRunning(new Set(underWay.current))
  }

  return { start: (wanted) => void start(wanted), running, failure }
}
