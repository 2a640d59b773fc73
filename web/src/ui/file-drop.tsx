import { useState, type DragEvent, type ReactNode } from 'react'

import { cx } from './cx'
import { Icon } from './icons'

interface FileDropProps {
  readonly title: ReactNode
  /** Which files are read. */
  readonly hint: ReactNode
  /** The same for the browser's own choice of files. */
  readonly accept: string
  readonly loading: boolean
  readonly onFile: (file: File | undefined) => void
}

const isFile = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files')

/** The native file field, with the place around it to drop a file on. */
export function FileDrop({ title, hint, accept, loading, onFile }: FileDropProps) {
  const [over, setOver] = useState(false)
  return (
    <label
      onDragOver={(event) => {
        if (!isFile(event)) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        if (!loading) onFile(event.dataTransfer.files[0])
      }}
      className={cx(
        'flex cursor-pointer flex-col items-center gap-2 rounded-md border border-dashed px-4 py-8 text-center',
        'focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-seal',
        over ? 'border-seal bg-seal-wash' : 'border-edge hover:bg-inset',
      )}
    >
      <Icon name="sheet" size={28} className="text-ink-soft" />
      <span className="font-medium">{title}</span>
      <span className="text-sm text-ink-soft">{hint}</span>
      <input
        type="file"
        accept={accept}
        disabled={loading}
        className="sr-only"
        onChange={(event) => {
          onFile(event.currentTarget.files?.[0])
          // The same file is read again once it was mended.
          event.currentTarget.value = ''
        }}
      />
    </label>
  )
}
