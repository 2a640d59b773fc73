import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'

import { loadSheetTemplate } from '@/api/sheet'
import { useDownloads } from '@/api/use-download'
import { failureText } from '@/i18n/message-texts'
import { base64Of } from '@/lib/base64-of'
import { Button } from '@/ui/button'
import { FileDrop } from '@/ui/file-drop'
import { Notice } from '@/ui/notice'
import { Sheet } from '@/ui/sheet'
import { TextArea } from '@/ui/text-area'

import type { SheetOfPayments } from './use-sheet'

/** The server reads no larger file. */
const FILE_BYTES_MAX = 350_000

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
        <FileDrop
          title={<Trans>Виберіть файл таблиці або перетягніть його сюди</Trans>}
          hint={<Trans>XLSX або CSV, до 200 платежів</Trans>}
          accept=".xlsx,.csv,.txt,text/csv"
          loading={reading.isPending}
          onFile={(file) => void readFile(file)}
        />
        {(problem !== null || reading.error !== null) && (
          <Notice tone="error" title={<Trans>Таблицю не прочитано</Trans>}>
            {problem ?? failureText(reading.error, i18n)}
          </Notice>
        )}
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
      </div>
    </Sheet>
  )
}
