import { useRef, useState } from 'react'

import { saveFile } from '@/lib/download'

import type { LoadedFile } from './receipts'

interface Download {
  /** Identifies the button within its page. */
  readonly name: string
  readonly load: () => Promise<LoadedFile>
}

export interface Downloads {
  /** Starts a download, unless the same one is running. */
  readonly start: (download: Download) => void
  /** The names of the running downloads. */
  readonly running: ReadonlySet<string>
  /** The failure of the last download. */
  readonly failure: Error | null
}

/** Downloads documents with the session's token, which a plain link could not send. */
export function useDownloads(): Downloads {
  const [running, setRunning] = useState<ReadonlySet<string>>(new Set())
  const [failure, setFailure] = useState<Error | null>(null)
  // A state would be updated too late for the second click of a double click.
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
