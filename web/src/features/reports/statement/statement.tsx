import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'

import { markStatement, readStatement } from '@/api/statement'
import { failureText } from '@/i18n/message-texts'
import { base64Of } from '@/lib/base64-of'
import { FileDrop } from '@/ui/file-drop'
import { Notice } from '@/ui/notice'
import { Sheet } from '@/ui/sheet'
import { showToast } from '@/ui/toasts'

import { Found } from './found'

/** The server reads no larger file. */
const FILE_BYTES_MAX = 700_000

/** What is done with the file of a statement: it is read, and what is clear in it is marked. */
function useStatement() {
  const { t, i18n } = useLingui()
  const [problem, setProblem] = useState<string | null>(null)
  const [file, setFile] = useState('')
  const reading = useMutation({ mutationFn: readStatement })
  const marking = useMutation({
    mutationFn: (items: string[]) => markStatement(file, items),
    onSuccess: ({ marked }) => {
      const payments = plural(marked, {
        one: '# платіж',
        few: '# платежі',
        many: '# платежів',
        other: '# платежу',
      })
      showToast({ text: t`Зараховано за випискою: ${payments}` })
    },
  })
  const failure = marking.error ?? reading.error

  async function readFile(chosen: File | undefined) {
    if (chosen === undefined) return
    reading.reset()
    marking.reset()
    if (chosen.size > FILE_BYTES_MAX) {
      setProblem(t`Файл завеликий: кабінет читає виписки до 700 КБ. Візьміть виписку за коротший строк.`)
      return
    }
    setProblem(null)
    try {
      const encoded = await base64Of(chosen)
      setFile(encoded)
      reading.mutate(encoded)
    } catch {
      setProblem(t`Файл не вдалося відкрити. Виберіть його ще раз.`)
    }
  }

  return {
    /** Undefined also while another file could not be read. */
    report: problem === null ? (marking.data ?? reading.data) : undefined,
    trouble: problem ?? (failure && failureText(failure, i18n)),
    reading: reading.isPending,
    marking,
    readFile,
  }
}

/** The notary's own bank statement: her part of payments by QR codes is found in it, and marked as credited. */
export function Statement() {
  const { report, trouble, reading, marking, readFile } = useStatement()
  return (
    <Sheet heading={<Trans>Зарахування за QR-кодами</Trans>} className="print:hidden">
      <div className="flex flex-col gap-5">
        <p className="max-w-[72ch] text-ink-soft text-pretty">
          <Trans>
            Кошти за QR-кодами надходять просто на ваш рахунок, і сервіс їх не бачить. Виберіть виписку свого
            банку: кабінет знайде в ній ваші 60 % і покаже, що можна позначити як зараховане. Файл не
            зберігається; з інших записів виписки нічого не зберігається й не показується.
          </Trans>
        </p>
        <FileDrop
          title={<Trans>Виберіть файл виписки або перетягніть його сюди</Trans>}
          hint={<Trans>camt.053, camt.054 (XML) або таблиця Приват24 (CSV), до 700 КБ</Trans>}
          accept=".xml,.csv,.txt,text/xml,text/csv"
          loading={reading || marking.isPending}
          onFile={(chosen) => void readFile(chosen)}
        />
        {trouble !== null && (
          <Notice
            tone="error"
            title={marking.error === null ? <Trans>Виписку не прочитано</Trans> : <Trans>Не позначено</Trans>}
          >
            {trouble}
          </Notice>
        )}
        {report !== undefined && (
          <Found
            report={report}
            marking={marking.isPending}
            marked={marking.isSuccess}
            mark={(items) => marking.mutate(items)}
          />
        )}
      </div>
    </Sheet>
  )
}
