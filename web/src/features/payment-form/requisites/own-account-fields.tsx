import { useLingui } from '@lingui/react/macro'
import { useEffect } from 'react'

import { hasCyrillicCountryLetter, parseIban } from '@/lib/iban'
import { okpoHasWrongCheckDigit, parseOkpo } from '@/lib/okpo'
import { IbanField, OkpoField } from '@/ui/requisites-fields'

import type { PaymentFields } from '../values'

/** The fields of the notary's own account, for a payment that does not go to the profile's. */
export function OwnAccountFields({
  form,
  takesFocus,
}: {
  readonly form: PaymentFields
  /** The pressed button has disappeared, so the account takes the focus. */
  readonly takesFocus: boolean
}) {
  const { t } = useLingui()
  const { id } = form.text('ownIban')
  useEffect(() => {
    if (takesFocus) document.querySelector<HTMLElement>(`#${CSS.escape(id)}`)?.focus()
  }, [takesFocus, id])
  const { values } = form
  const okpo = parseOkpo(values.ownOkpo)
  const iban = parseIban(values.ownIban)
  return (
    <div className="grid items-start gap-x-4 gap-y-5 @xl:grid-cols-[13rem_minmax(0,1fr)]">
      <OkpoField
        {...form.text('ownOkpo')}
        label={t`Ваш РНОКПП`}
        className="sm:max-w-64"
        onBlur={() => form.check('ownOkpo')}
        caution={
          okpo.ok && okpoHasWrongCheckDigit(okpo.value) && t`Контрольна цифра не збігається. Перевірте код`
        }
      />
      <IbanField
        {...form.text('ownIban')}
        label={t`Ваш рахунок IBAN`}
        onBlur={() => form.check('ownIban')}
        caution={
          iban.ok && hasCyrillicCountryLetter(values.ownIban) && t`Кириличну А в «UA» прочитано як латинську`
        }
      />
    </div>
  )
}
