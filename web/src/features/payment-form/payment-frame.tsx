import type { ComponentProps, ReactNode } from 'react'

import type { Config } from '@/api/config'
import type { PaymentType, RequisitesTemplate } from '@/api/payment-types'
import type { User } from '@/api/user'
import { FormErrors } from '@/forms/form-errors'
import type { Form } from '@/forms/use-form'
import type { PaymentKind, Price } from '@/lib/commission'

import type { PaymentLists } from './list'
import { ProfileAccount, useOwnAccount } from './own-account'
import { PaymentSheet } from './payment-sheet'
import { TotalPanel } from './total-panel'
import type { OwnAccount, PaymentFields, PaymentValues } from './values'
import { NoticesOfYear } from './year-notices'

/** A payment that is typed, and what is known of it. */
interface TypedPayment {
  readonly form: PaymentFields & Pick<Form<PaymentValues, unknown>, 'attempt' | 'rest' | 'summary'>
  readonly kind: PaymentKind | null
  readonly lists: PaymentLists
  readonly template: RequisitesTemplate | undefined
  readonly price: Price | null
  readonly asked: number
  readonly answered: () => void
}

interface PaymentFrameProps extends Pick<
  ComponentProps<'form'>,
  'ref' | 'aria-label' | 'onSubmit' | 'onKeyDown'
> {
  readonly payment: TypedPayment
  readonly options: { readonly types: readonly PaymentType[]; readonly user: User; readonly config: Config }
  /** The account that stands beside the total; any other one is typed into fields. */
  readonly usualAccount: OwnAccount
  /** Called with the earlier values where a template has replaced something typed. */
  readonly onReplaced: (earlier: PaymentValues) => void
  /** What is to be said above the fields. */
  readonly notices: ReactNode
  /** What is to be said about the number of units. */
  readonly countNote?: ReactNode
  /** The buttons below the sum. */
  readonly actions: ReactNode
  /** The fields are held: a correction made now would not be in what is saved. By default they never are. */
  readonly held?: boolean | undefined
}

/** The form of a payment: notices, errors and fields, and beside them the total with the buttons. */
export function PaymentFrame({
  payment: { form, kind, lists, template, price, asked, answered },
  options: { types, user, config },
  usualAccount,
  onReplaced,
  notices,
  countNote,
  actions,
  held,
  ...element
}: PaymentFrameProps) {
  const account = useOwnAccount(form, kind, usualAccount)
  return (
    <form
      {...element}
      noValidate
      className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 xl:gap-4 xl:grid-cols-[minmax(0,1fr)_23rem]"
    >
      <div className="flex flex-col gap-6">
        {notices}
        <FormErrors form={form} />
        <Held held={held}>
          <PaymentSheet
            form={form}
            kind={kind}
            types={types}
            lists={lists}
            template={template}
            asked={asked}
            onAnswered={answered}
            notaryCode={user.inn}
            account={account}
            onReplaced={onReplaced}
          />
        </Held>
      </div>
      <div className="flex flex-col gap-4 xl:sticky xl:below-frame">
        <TotalPanel
          price={price}
          config={config}
          notice={
            <>
              {countNote}
              <NoticesOfYear kind={kind} values={form.values} lists={lists} config={config} />
            </>
          }
          account={
            account.shown === 'panel' && <ProfileAccount account={form.values} onOpen={account.open} />
          }
          actions={actions}
        />
      </div>
    </form>
  )
}

/** Holds the fields in it, unless they are never held. */
function Held({ held, children }: Pick<PaymentFrameProps, 'held'> & { readonly children: ReactNode }) {
  if (held === undefined) return children
  return (
    <fieldset role="presentation" disabled={held} className="contents">
      {children}
    </fieldset>
  )
}
