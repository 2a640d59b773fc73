import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { User } from '@/api/user'
import type { FormFields } from '@/forms/use-form'
import { DateField } from '@/ui/date-field'
import { MaskedField } from '@/ui/masked-field'
import { cardMask, codeMask, ibanMask, knownIdentifierMask } from '@/ui/masks'
import { PhoneField } from '@/ui/phone-field'
import { TextArea } from '@/ui/text-area'
import { TextField } from '@/ui/text-field'
import { EMAIL_CHARS_MAX } from './read-profile'
import type { ProfileField, ProfileValues } from './values'

/** Connects a field to the form. */
export type FieldBinding = (
  field: ProfileField,
) => ReturnType<FormFields<ProfileValues>['text']> & { readonly name: ProfileField }

interface FieldsProps {
  readonly bind: FieldBinding
}

const certificateMask = codeMask(10)
const ownerCodeMask = codeMask(10)

interface GroupProps {
  readonly legend: ReactNode
  /** Hidden visually where the heading above has the same text. */
  readonly legendHidden?: boolean
  readonly children: ReactNode
}

/** A named group of fields. */
function Group({ legend, legendHidden = false, children }: GroupProps) {
  return (
    <fieldset className="flex flex-col gap-5">
      <legend
        className={legendHidden ? 'sr-only' : 'mb-5 w-full border-b border-rule pb-2 text-base font-semibold'}
      >
        {legend}
      </legend>
      <div className="grid gap-5 sm:grid-cols-2">{children}</div>
    </fieldset>
  )
}

type NotaryStatus = User['notary_status']

export function RegistryFields({ bind, user }: FieldsProps & { readonly user: User }) {
  const { t } = useLingui()
  const { notary_status: status, full_name: confirmed } = user
  const statusNames: Record<NotaryStatus, string> = {
    private: t`Приватний нотаріус`,
    state: t`Державний нотаріус`,
    suspended: t`Діяльність зупинено`,
  }
  return (
    <Group legend={t`Дані реєстру`} legendHidden>
      <TextField
        {...bind('full_name')}
        label={t`Прізвище, ім’я, по батькові`}
        autoComplete="name"
        hint={
          user.requested_name !== null &&
          t`Нове ім’я чекає на підтвердження оператором. До того на квитанціях і в листах – ${confirmed}`
        }
        className="sm:col-span-2"
      />
      <MaskedField
        {...bind('registry_identifier')}
        mask={knownIdentifierMask}
        label={t`Ідентифікатор у реєстрі`}
        autoComplete="off"
        spellCheck={false}
      />
      <MaskedField
        {...bind('certificate_number')}
        mask={certificateMask}
        label={t`Номер свідоцтва`}
        inputMode="numeric"
        autoComplete="off"
      />
      <TextField
        {...bind('inn')}
        label={t`Ваш РНОКПП`}
        hint={t`10 цифр; без нього – ID-картка (9 цифр), паспорт (дві літери й 6 цифр) або код ЄДРПОУ (8 цифр)`}
        autoComplete="off"
        spellCheck={false}
      />
      <DateField {...bind('exemption_date_finish')} label={t`Пільга діє до`} />
      <TextField label={t`Статус`} hint={t`За реєстром нотаріусів`} value={statusNames[status]} readOnly />
    </Group>
  )
}

export function ContactFields({ bind, phone }: FieldsProps & { readonly phone: string }) {
  const { t } = useLingui()
  return (
    <Group legend={<Trans>Контакти</Trans>}>
      <TextField
        label={t`Номер телефону`}
        hint={t`За цим номером ви входите. Змінити його може лише служба підтримки`}
        type="tel"
        value={phone}
        readOnly
      />
      <PhoneField {...bind('phone_additional')} label={t`Додатковий телефон`} autoComplete="off" />
      <TextField
        {...bind('email')}
        label={t`Електронна пошта`}
        type="email"
        autoComplete="email"
        spellCheck={false}
        maxLength={EMAIL_CHARS_MAX}
        className="sm:col-span-2"
      />
      <TextArea
        {...bind('notary_address')}
        label={t`Адреса робочого місця`}
        autoComplete="street-address"
        rows={2}
        className="sm:col-span-2"
      />
    </Group>
  )
}

export function PaymentFields({ bind, status }: FieldsProps & { readonly status: NotaryStatus }) {
  const { t } = useLingui()
  return (
    <Group legend={<Trans>Платіжні реквізити</Trans>}>
      <MaskedField
        {...bind('iban')}
        mask={ibanMask}
        long
        label={t`Ваш рахунок IBAN`}
        {...(status !== 'state' && { hint: t`На цей рахунок зараховується 60 % адміністративного збору` })}
        inputMode="numeric"
        autoComplete="off"
        className="sm:col-span-2"
      />
      <MaskedField
        {...bind('okpo')}
        mask={ownerCodeMask}
        label={t`Код власника рахунку`}
        hint={status === 'private' ? t`РНОКПП (10 цифр)` : t`ЄДРПОУ (8 цифр) або РНОКПП (10 цифр)`}
        inputMode="numeric"
        autoComplete="off"
      />
      <MaskedField
        {...bind('card_pan')}
        mask={cardMask}
        label={t`Номер картки`}
        hint={t`Лише для розпізнавання картки. Зберігаються тільки перші шість і останні чотири цифри`}
        inputMode="numeric"
        autoComplete="off"
      />
    </Group>
  )
}
