import { Trans, useLingui } from '@lingui/react/macro'
import { useState, type DragEvent } from 'react'

import { loadSheetTemplate } from '@/api/sheet'
import { useDownloads } from '@/api/use-download'
import { failureText } from '@/i18n/message-texts'
import { Button } from '@/ui/button'
import { cx } from '@/ui/cx'
import { Icon } from '@/ui/icons'
import { Notice } from '@/ui/notice'
import { Sheet } from '@/ui/sheet'
import { TextArea } from '@/ui/text-area'

import type { SheetOfPayments } from './use-sheet'

/** The server reads no larger file. */
const FILE_BYTES_MAX = 350_000

/** Reads a file as Base64. */
function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(String(reader.result).replace(/^[^,]*,/u, '')))
    reader.addEventListener('error', () => reject(new Error('the file cannot be read')))
    reader.readAsDataURL(file)
  })
}

/** Where the payments come from: a file, dropped or chosen, or pasted rows. */
export function SheetSourceForm({ sheet }: { readonly sheet: SheetOfPayments }) {
  const { t, i18n } = useLingui()
  const { reading, text, setText } = sheet
  const [problem, setProblem] = useState<string | null>(null)
  const download = useDownloads()

  async function readFile(file: File | undefined) {
    if (file === undefined) return
    reading.reset()
    if (file.size > FILE_BYTES_MAX) {
      setProblem(t`Файл завеликий: кабінет читає таблиці до 350 КБ. Залиште в ньому лише рядки платежів.`)
      return
    }
    setProblem(null)
    try {
      sheet.read({ file: await base64Of(file) })
    } catch {
      setProblem(t`Файл не вдалося відкрити. Виберіть його ще раз.`)
    }
  }

  return (
    <Sheet>
      <div className="flex flex-col gap-6">
        <div className="flex flex-col gap-3 sm:flex-row sm:items-center sm:justify-between">
          <p className="max-w-[56ch] text-ink-soft text-pretty">
            <Trans>У шаблоні є приклади й переліки послуг, строків, регіонів та отримувачів.</Trans>
          </p>
          <Button
            icon="download"
            loading={download.running.has('template')}
            onClick={() => download.start({ name: 'template', load: loadSheetTemplate })}
          >
            <Trans>Завантажити шаблон</Trans>
          </Button>
        </div>
        <FileDrop loading={reading.isPending} onFile={(file) => void readFile(file)} />
        <form
          className="flex flex-col items-start gap-3"
          onSubmit={(event) => {
            event.preventDefault()
            setProblem(null)
            if (!reading.isPending) sheet.read({ text })
          }}
        >
          <TextArea
            label={t`Або вставте рядки таблиці`}
            hint={t`Скопіюйте їх разом із рядком назв стовпців.`}
            value={text}
            rows={6}
            spellCheck={false}
            autoComplete="off"
            onValueChange={setText}
            className="w-full"
          />
          <Button
            type="submit"
            loading={reading.isPending}
            disabledReason={text.trim() === '' ? t`Спершу вставте рядки` : null}
          >
            <Trans>Прочитати рядки</Trans>
          </Button>
        </form>
        {download.failure !== null && (
          <Notice tone="error" title={<Trans>Шаблон не завантажено</Trans>}>
            {failureText(download.failure, i18n)}
          </Notice>
        )}
        {(problem !== null || reading.error !== null) && (
          <Notice tone="error" title={<Trans>Таблицю не прочитано</Trans>}>
            {problem ?? failureText(reading.error, i18n)}
          </Notice>
        )}
      </div>
    </Sheet>
  )
}

interface FileDropProps {
  readonly loading: boolean
  readonly onFile: (file: File | undefined) => void
}

const isFile = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files')

/** The native file field, with the place around it to drop a file on. */
function FileDrop({ loading, onFile }: FileDropProps) {
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
      <span className="font-medium">
        <Trans>Виберіть файл таблиці або перетягніть його сюди</Trans>
      </span>
      <span className="text-sm text-ink-soft">
        <Trans>XLSX або CSV, до 200 платежів</Trans>
      </span>
      <input
        type="file"
        accept=".xlsx,.csv,.txt,text/csv"
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
