import { Trans, useLingui } from '@lingui/react/macro'

import type { LoadedFile } from '@/api/receipts'
import { returnApplication, type OrderTransfer, type ReturnApplicationRequest } from '@/api/transfers'
import type { Reader } from '@/forms/form-options'
import { NotDone } from '@/forms/failed'
import { FormShell } from '@/forms/form-shell'
import { readFields } from '@/forms/read-fields'
import { useKeptForm } from '@/forms/use-kept-form'
import { saveFile } from '@/lib/download'
import { parseIban } from '@/lib/iban'
import { parseLine } from '@/lib/line'
import { countCharacters } from '@/lib/text'
import { announce } from '@/ui/live-region'
import { Notice } from '@/ui/notice'
import { IbanField } from '@/ui/requisites-fields'
import { TextArea } from '@/ui/text-area'

/** The limit of the server. */
const REASON_CHARS_MAX = 300

interface Values {
  readonly reason: string
  readonly iban: string
}

const read: Reader<Values, ReturnApplicationRequest> = (values) =>
  readFields({
    reason: parseLine(values.reason, 'field_required'),
    iban: parseIban(values.iban),
  })

interface ApplicationFormProps {
  readonly transfer: OrderTransfer
  readonly notaryId: string
  /** Which application it is. */
  readonly name: string
  readonly onClose: () => void
}

/** What the notary types for the application for the return of money; it is then downloaded. */
export function ApplicationForm({ transfer, notaryId, name, onClose }: ApplicationFormProps) {
  const { t } = useLingui()
  const form = useKeptForm<Values, ReturnApplicationRequest, LoadedFile>(notaryId, {
    name: `application-${transfer.document_number}`,
    initial: () => ({ reason: '', iban: '' }),
    read,
    errorText: (key) => (key === 'iban_required' ? t`Введіть рахунок IBAN клієнта` : null),
    submit: (request) => returnApplication(transfer.id, request),
    onSent: ({ bytes, fileName }) => {
      saveFile(bytes, fileName)
      announce(t`Заяву завантажено`)
      onClose()
    },
  })
  const notMade = <Trans>Заяву не складено</Trans>
  return (
    <FormShell
      form={form}
      first="reason"
      className="mt-6"
      lead={<Explanation transfer={transfer} name={name} />}
      failed={<NotDone failure={form.failure} rest={form.rest} refused={notMade} unknown={notMade} />}
      submit={<Trans>Завантажити заяву</Trans>}
      cancel={<Trans>Скасувати</Trans>}
      onClose={onClose}
    >
      <TextArea
        {...form.text('reason')}
        label={t`Причина повернення`}
        hint={t`Наприклад: збір сплачено двічі`}
        limit={REASON_CHARS_MAX}
        length={countCharacters(form.values.reason)}
      />
      <IbanField
        {...form.text('iban')}
        label={t`Рахунок IBAN клієнта, на який повернути кошти`}
        onBlur={() => form.check('iban')}
      />
    </FormShell>
  )
}

/** Who signs the application, and where and when it is handed in. */
function Explanation({ transfer, name }: Pick<ApplicationFormProps, 'transfer' | 'name'>) {
  return (
    <Notice tone="info" title={name}>
      <p>
        <Trans>Заяву підписує платник – клієнт – і подає разом із копією платіжного документа.</Trans>{' '}
        {transfer.application === 'budget' ? (
          <Trans>
            Її приймає орган, що контролює справляння надходжень бюджету (адміністратор збору): за його
            поданням кошти повертає Казначейство.
          </Trans>
        ) : (
          <Trans>Її приймає адміністратор реєстру. Спершу уточніть у нього, чи підходить така форма.</Trans>
        )}
      </p>
      {transfer.status === 'sent' && (
        <p>
          <Trans>
            Цей переказ надіслано, але його зарахування банк ще не підтвердив. Подавайте заяву після
            зарахування.
          </Trans>
        </p>
      )}
      <p>
        <Trans>Введене тут потрапляє лише до заяви: сервер його не зберігає.</Trans>
      </p>
    </Notice>
  )
}
