import { Trans, useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'

import { Refusal } from '@/api/failure'
import { ordersKey } from '@/api/orders'
import { sendAgain, type OrderTransfer, type ResendRequest } from '@/api/transfers'
import type { User } from '@/api/user'
import { NotDone } from '@/forms/failed'
import { FormShell } from '@/forms/form-shell'
import type { FormFields } from '@/forms/use-form'
import { useKeptForm } from '@/forms/use-kept-form'
import { groupIban } from '@/lib/iban'
import { PURPOSE_CHARS_MAX } from '@/lib/purpose-chars-max'
import { countCharacters } from '@/lib/text'
import { Button } from '@/ui/button'
import { announce } from '@/ui/live-region'
import { Notice } from '@/ui/notice'
import { IbanField, OkpoField } from '@/ui/requisites-fields'
import { TextArea } from '@/ui/text-area'
import { TextField } from '@/ui/text-field'

import { correctionName } from './correction-name'
import { correctionReader, type CorrectionValues } from './read-correction'

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
  const { t } = useLingui()
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
  return (
    <FormShell
      form={form}
      first={transfer.role === 'notary' ? 'okpo' : 'recipient_name'}
      className="mt-6"
      failed={
        <NotDone
          failure={form.failure}
          rest={form.rest}
          refused={<Trans>Переказ не надіслано</Trans>}
          unknown={<Trans>Невідомо, чи надіслано переказ</Trans>}
          again={<Trans>Надішліть ще раз: двічі цей переказ не надсилається.</Trans>}
        />
      }
      submit={<Trans>Надіслати повторно</Trans>}
      cancel={<Trans>Скасувати</Trans>}
      onClose={onClose}
    >
      <Offer
        transfer={transfer}
        onTake={({ recipient_name, iban, okpo }) =>
          form.change({ recipient_name, iban: groupIban(iban), okpo })
        }
      />
      <Fields form={form} transfer={transfer} />
    </FormShell>
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
      <OkpoField
        {...form.text('okpo')}
        label={isOwn ? t`Ваш РНОКПП` : t`Код отримувача (ЄДРПОУ або РНОКПП)`}
        onBlur={() => form.check('okpo')}
      />
      <IbanField
        {...form.text('iban')}
        label={isOwn ? t`Ваш рахунок IBAN` : t`Рахунок IBAN отримувача`}
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
