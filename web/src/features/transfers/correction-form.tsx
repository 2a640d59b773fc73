import { Trans, useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'

import { ordersKey } from '@/api/orders'
import { sendAgain, type OrderTransfer, type ResendRequest } from '@/api/transfers'
import type { Reader } from '@/forms/form-options'
import { readFields } from '@/forms/read-fields'
import { useForm } from '@/forms/use-form'
import { failureText } from '@/i18n/message-texts'
import { groupIban, parseIban } from '@/lib/iban'
import { parseLine } from '@/lib/line'
import { parseOkpo } from '@/lib/okpo'
import { ok } from '@/lib/result'
import { countCharacters } from '@/lib/text'
import { Button } from '@/ui/button'
import { announce } from '@/ui/live-region'
import { MaskedField } from '@/ui/masked-field'
import { digitsMask, ibanMask } from '@/ui/masks'
import { Notice } from '@/ui/notice'
import { TextArea } from '@/ui/text-area'
import { TextField } from '@/ui/text-field'

const okpoMask = digitsMask(10)
/** What the cabinet wrote may be longer than what is typed. */
const WRITTEN_PURPOSE_CHARS_MAX = 420
const TYPED_PURPOSE_CHARS_MAX = 160

interface Values {
  readonly recipient_name: string
  readonly okpo: string
  readonly iban: string
  readonly purpose: string
}

/** Reads what the page can judge alone. The server checks account, code and purpose against each other. */
const read: Reader<Values, ResendRequest> = (values) => {
  const fields = readFields({
    recipient_name: parseLine(values.recipient_name, 'recipient_name_required'),
    okpo: parseOkpo(values.okpo),
    iban: parseIban(values.iban),
    purpose: parseLine(values.purpose, 'purpose_required'),
  })
  return fields.ok ? ok(fields.value) : fields
}

interface CorrectionFormProps {
  readonly transfer: OrderTransfer
  readonly onClose: () => void
}

/** The requisites of a returned transfer, to be corrected and sent again. */
export function CorrectionForm({ transfer, onClose }: CorrectionFormProps) {
  const { t, i18n } = useLingui()
  const queryClient = useQueryClient()
  const number = transfer.document_number
  const form = useForm<Values, ResendRequest, unknown>({
    name: `transfer-${number}`,
    initial: () => ({
      recipient_name: transfer.recipient_name,
      okpo: transfer.okpo,
      iban: groupIban(transfer.iban),
      purpose: transfer.purpose,
    }),
    read,
    submit: (request) => sendAgain(transfer.id, request),
    onSent: () => {
      announce(t`Переказ буде надіслано повторно`)
      void queryClient.invalidateQueries({ queryKey: ordersKey.all })
    },
  })
  const isOwn = transfer.role === 'notary'
  const { focus } = form
  // The button that opened the form is gone.
  const focusFirst = useEffectEvent(() => focus(isOwn ? 'okpo' : 'recipient_name'))
  useEffect(() => focusFirst(), [])
  return (
    <form onSubmit={form.submit} noValidate className="mt-6 flex flex-col gap-5">
      <Offer
        transfer={transfer}
        onTake={({ recipient_name, iban, okpo }) =>
          form.change({ recipient_name, iban: groupIban(iban), okpo })
        }
      />
      {!isOwn && (
        <TextField {...form.text('recipient_name')} label={t`Назва отримувача`} autoComplete="off" />
      )}
      <MaskedField
        mask={okpoMask}
        {...form.text('okpo')}
        label={isOwn ? t`Ваш РНОКПП` : t`Код отримувача (ЄДРПОУ або РНОКПП)`}
        inputMode="numeric"
        autoComplete="off"
        onBlur={() => form.check('okpo')}
      />
      <MaskedField
        mask={ibanMask}
        long
        {...form.text('iban')}
        label={isOwn ? t`Ваш рахунок IBAN` : t`Рахунок IBAN отримувача`}
        autoComplete="off"
        spellCheck={false}
        onBlur={() => form.check('iban')}
      />
      <TextArea
        {...form.text('purpose')}
        label={t`Призначення платежу`}
        limit={form.values.purpose === transfer.purpose ? WRITTEN_PURPOSE_CHARS_MAX : TYPED_PURPOSE_CHARS_MAX}
        length={countCharacters(form.values.purpose)}
      />
      {(form.failure !== null || form.rest.length > 0) && (
        <Notice tone="error" announce="at-once" title={<Trans>Переказ не надіслано</Trans>}>
          {form.failure !== null && failureText(form.failure, i18n)}
        </Notice>
      )}
      <div className="actions">
        <Button type="submit" variant="primary" loading={form.busy}>
          <Trans>Надіслати повторно</Trans>
        </Button>
        <Button onClick={onClose}>
          <Trans>Скасувати</Trans>
        </Button>
      </div>
    </form>
  )
}

interface OfferProps {
  readonly transfer: OrderTransfer
  readonly onTake: (offered: NonNullable<OrderTransfer['offered']>) => void
}

/** Offers today's account of the recipient. */
function Offer({ transfer, onTake }: OfferProps) {
  const { offered } = transfer
  if (offered === null) return null
  const { recipient_name: name, okpo } = offered
  const iban = groupIban(offered.iban)
  return (
    <Notice
      tone="info"
      title={<Trans>Сьогодні діють інші реквізити</Trans>}
      actions={
        <Button size="small" onClick={() => onTake(offered)}>
          <Trans>Заповнити ними форму</Trans>
        </Button>
      }
    >
      <p className="wrap-anywhere">
        {name}, {okpo}, {iban}
      </p>
    </Notice>
  )
}
