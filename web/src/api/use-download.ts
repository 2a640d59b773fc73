import { useMutation } from '@tanstack/react-query'

import { saveFile } from '@/lib/download'

import type { Receipt } from './receipts'

interface Download {
  /** Tells one button of a page from another. */
  readonly name: string
  readonly load: () => Promise<Receipt>
}

export interface Downloads {
  readonly start: (download: Download) => void
  /** The download under way; null where there is none. */
  readonly running: string | null
  /** Why the last one failed. */
  readonly failure: Error | null
}

/** Fetches documents with the session's token and hands them to the browser; a plain link could not carry the token. */
export function useDownloads(): Downloads {
  const download = useMutation({
    mutationFn: async ({ load }: Download) => {
      const { bytes, fileName } = await load()
      saveFile(bytes, fileName)
    },
  })
  return {
    start: (wanted) => {
      if (!download.isPending) download.mutate(wanted)
    },
    running: download.isPending ? download.variables.name : null,
    failure: download.error,
  }
}
