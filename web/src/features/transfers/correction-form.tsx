import { Trans, useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'

import { Refusal } from '@/api/failure'
import { ordersKey } from '@/api/orders'
import { sendAgain, type OrderTransfer, type ResendRequest } from '@/api/transfers'
import type { User } from '@/api/user'
import type { FormFields } from '@/forms/use-form'
import { useKeptForm } from '@/forms/use-kept-form'
import { failureText } from '@/i18n/message-texts'
import { groupIban } from '@/lib/iban'
import { PURPOSE_CHARS_MAX } from '@/lib/purpose-chars-max'
import { countCharacters } from '@/lib/text'
import { Button } from '@/ui/button'
import { announce } from '@/ui/live-region'
import { MaskedField } from '@/ui/masked-field'
import { codeMask, ibanMask } from '@/ui/masks'
import { Notice } from '@/ui/notice'
import { TextArea } from '@/ui/text-area'
import { TextField } from '@/ui/text-field'

import { correctionName } from './correction-name'
import { correctionReader, type CorrectionValues } from './read-correction'

const okpoMask = codeMask(10)
/** What the cabinet wrote may be longer than what is typed. */
const WRITTEN_PURPOSE_CHARS_MAX = 420

interface CorrectionFormProps {
  readonly transfer: OrderTransfer
  readonly notary: User
  /** The code of the order's client. */
  readonly clientCode: string
  readonly onClose: () => void
}

/** The requisites of a returned transfer, to be corrected and sent again. */
export function CorrectionForm({ transfer, notary, clientCode, onClose }: CorrectionFormProps) {
  const { t, i18n } = useLingui()
  const queryClient = useQueryClient()
  const readAgain = () => queryClient.invalidateQueries({ queryKey: ordersKey.all })
  const form = useKeptForm<CorrectionValues, ResendRequest, unknown>(notary.id, {
    name: correctionName(transfer.document_number),
    initial: () => ({
      recipient_name: transfer.recipient_name,
      okpo: transfer.okpo,
      iban: groupIban(transfer.iban),
      purpose: transfer.purpose,
    }),
    read: correctionReader({ transfer, clientCode, notary }),
    submit: async (request) => {
      await sendAgain(transfer.id, request)
      // Until the page shows what became of the transfer, the form can't be sent again.
      await readAgain()
    },
    onSent: () => announce(t`Переказ буде надіслано повторно`),
    onFailure: (failure) => {
      if (!(failure instanceof Refusal)) void readAgain()
      return false
    },
  })
  const { focus } = form
  const isUnknown = form.failure !== null && !(form.failure instanceof Refusal)
  // The button that opened the form is gone.
  const focusFirst = useEffectEvent(() => focus(transfer.role === 'notary' ? 'okpo' : 'recipient_name'))
  useEffect(() => focusFirst(), [])
  return (
    <form onSubmit={form.submit} noValidate className="mt-6 flex flex-col gap-5">
      {/* A correction made now would not be in what is sent. */}
      <fieldset role="presentation" disabled={form.busy} className="contents">
        <Offer
          transfer={transfer}
          onTake={({ recipient_name, iban, okpo }) =>
            form.change({ recipient_name, iban: groupIban(iban), okpo })
          }
        />
        <Fields form={form} transfer={transfer} />
      </fieldset>
      {isUnknown ? (
        <Notice tone="error" title={<Trans>Невідомо, чи надіслано переказ</Trans>}>
          {failureText(form.failure, i18n)}.{' '}
          <Trans>Надішліть ще раз: двічі цей переказ не надсилається.</Trans>
        </Notice>
      ) : (
        (form.failure !== null || form.rest.length > 0) && (
          <Notice tone="error" title={<Trans>Переказ не надіслано</Trans>}>
            {form.failure !== null && failureText(form.failure, i18n)}
          </Notice>
        )
      )}
      <div className="actions">
        <Button type="submit" variant="primary" loading={form.busy}>
          <Trans>Надіслати повторно</Trans>
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

interface FieldsProps {
  readonly form: FormFields<CorrectionValues>
  readonly transfer: OrderTransfer
}

function Fields({ form, transfer }: FieldsProps) {
  const { t } = useLingui()
  const isOwn = transfer.role === 'notary'
  return (
    <>
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
        limit={form.values.purpose === transfer.purpose ? WRITTEN_PURPOSE_CHARS_MAX : PURPOSE_CHARS_MAX}
        length={countCharacters(form.values.purpose)}
      />
    </>
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
