import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useEffectEvent } from 'react'

import type { LoadedFile } from '@/api/receipts'
import { returnApplication, type OrderTransfer, type ReturnApplicationRequest } from '@/api/transfers'
import type { Reader } from '@/forms/form-options'
import { readFields } from '@/forms/read-fields'
import { useKeptForm } from '@/forms/use-kept-form'
import { failureText } from '@/i18n/message-texts'
import { saveFile } from '@/lib/download'
import { parseIban } from '@/lib/iban'
import { parseLine } from '@/lib/line'
import { countCharacters } from '@/lib/text'
import { Button } from '@/ui/button'
import { announce } from '@/ui/live-region'
import { MaskedField } from '@/ui/masked-field'
import { ibanMask } from '@/ui/masks'
import { Notice } from '@/ui/notice'
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
  const { t, i18n } = useLingui()
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
  const { focus } = form
  // The button that opened the form is gone.
  const focusFirst = useEffectEvent(() => focus('reason'))
  useEffect(() => focusFirst(), [])
  return (
    <form onSubmit={form.submit} noValidate className="mt-6 flex flex-col gap-5">
      <Explanation transfer={transfer} name={name} />
      {/* What is changed now would not be in the application. */}
      <fieldset role="presentation" disabled={form.busy} className="contents">
        <TextArea
          {...form.text('reason')}
          label={t`Причина повернення`}
          hint={t`Наприклад: збір сплачено двічі`}
          limit={REASON_CHARS_MAX}
          length={countCharacters(form.values.reason)}
        />
        <MaskedField
          mask={ibanMask}
          long
          {...form.text('iban')}
          label={t`Рахунок IBAN клієнта, на який повернути кошти`}
          autoComplete="off"
          spellCheck={false}
          onBlur={() => form.check('iban')}
        />
      </fieldset>
      {(form.failure !== null || form.rest.length > 0) && (
        <Notice tone="error" announce="at-once" title={<Trans>Заяву не складено</Trans>}>
          {form.failure !== null && failureText(form.failure, i18n)}
        </Notice>
      )}
      <div className="actions">
        <Button type="submit" variant="primary" loading={form.busy}>
          <Trans>Завантажити заяву</Trans>
        </Button>
        {!form.busy && (
          <Button
            onClick={() => {
              form.forget()
              onClose()
            }}
          >
            <Trans>Скасувати</Trans>
          </Button>
        )}
      </div>
    </form>
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
