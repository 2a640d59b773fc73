import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { Suspense } from 'react'

import type { DealKinds } from '@/api/deals'
import type { User } from '@/api/user'
import { Failed } from '@/forms/failed'
import { FormErrors } from '@/forms/form-errors'
import type { Kopiykas } from '@/lib/money'
import { AwaitedPart } from '@/ui/awaited-part'
import { Button } from '@/ui/button'
import { Notice } from '@/ui/notice'
import { Sheet } from '@/ui/sheet'
import { Sum } from '@/ui/sum'

import { DealQuestions } from './deal-questions'
import { useEnter } from './go-on'
import { fieldNames } from './field-names'
import { Elsewhere, Parties, Unanswered, useParties } from './later-parties'
import { PaymentsTable, RegionSelect } from './payments-table'
import { feeWayOf } from './recipients'
import { useDeal, type Deal } from './use-deal'
import { isAdded, paidElsewhere, payersOf, totalsOf } from './values'

interface DealFormProps {
  readonly offered: DealKinds
  readonly user: User
}

/** The form of a deal: what it is, what is paid for it, and who pays. */
export function DealForm({ offered, user }: DealFormProps) {
  const { t, i18n } = useLingui()
  const deal = useDeal(offered.kinds, user.id)
  const { form, kind, lines, calculation, recipients } = deal
  const payers = payersOf(lines)
  const parties = useParties(form, payers)
  const goOn = useEnter(calculation.waiting || recipients.loading || parties.waiting)
  const summary = fieldNames(kind, lines, form.values, i18n).flatMap(([field, words]) => {
    const { id, error } = form.text(field)
    const before = words === '' || words.endsWith('?') ? words : `${words}:`
    return error === null ? [] : [{ fieldId: id, message: `${before} ${error}`.trim() }]
  })
  const totals = <Totals deal={deal} ownAccount={user.iban !== ''} />
  return (
    <form
      noValidate
      onSubmit={parties.submit}
      onKeyDown={goOn}
      aria-label={t`Розрахунок платежів`}
      className="flex flex-col gap-3"
    >
      <FormErrors form={form} summary={summary} />
      {deal.changed && (
        <Notice tone="error" title={<Trans>Суми змінилися, тому до кошика нічого не додано</Trans>}>
          <Trans>Розрахунок оновлено. Перевірте суми й додайте платежі ще раз.</Trans>
        </Notice>
      )}
      {/* A correction made now would not be in what is added. */}
      <fieldset role="presentation" disabled={form.busy} className="contents">
        <Sheet dense heading={t`Нотаріальна дія`}>
          <DealQuestions deal={deal} offered={offered} />
        </Sheet>
        <Sheet dense heading={t`Платежі`} aside={<RegionSelect deal={deal} />}>
          <Payments deal={deal} />
        </Sheet>
      </fieldset>
      {payers.length > 0 ? (
        <Sheet dense heading={t`Платники`} foot={totals}>
          <fieldset role="presentation" disabled={form.busy} className="contents">
            <Suspense fallback={<AwaitedPart />}>
              <Parties form={form} payers={payers} asked={parties.asked} onShown={parties.onShown} />
            </Suspense>
          </fieldset>
        </Sheet>
      ) : (
        <Sheet dense>{totals}</Sheet>
      )}
    </form>
  )
}

/** What is paid for the deal, or why it is not known. */
function Payments({ deal }: { readonly deal: Deal }) {
  if (deal.calculation.failure === null) return <PaymentsTable deal={deal} />
  if (deal.needed.length > 0) {
    return (
      <p role="status" className="text-ink-soft">
        <Trans>Укажіть оціночну вартість: від неї обчислюються платежі за такими відповідями.</Trans>
      </p>
    )
  }
  return (
    <Failed
      failure={deal.calculation.failure}
      title={<Trans>Платежі не вдалося розрахувати</Trans>}
      retry={<Trans>Спробувати ще раз</Trans>}
      onRetry={deal.calculation.retry}
    />
  )
}

function Totals({ deal, ownAccount }: { readonly deal: Deal; readonly ownAccount: boolean }) {
  const { t } = useLingui()
  const { form, lines } = deal
  const count = lines.filter(isAdded).length
  const { added, elsewhere } = totalsOf(lines)
  const isAccountMissing =
    !ownAccount &&
    lines.some((line) => isAdded(line) && feeWayOf(line)?.payment_type.slug === 'admin_payment')
  return (
    <section aria-label={t`Разом`}>
      <div className="flex flex-col gap-2.5">
        {paidElsewhere(lines).length > 0 && (
          <Suspense>
            <Elsewhere lines={lines} sum={elsewhere} />
          </Suspense>
        )}
        {isAccountMissing && (
          <Notice tone="warn" title={<Trans>У картці нотаріуса немає вашого рахунку</Trans>}>
            <Trans>
              На нього зараховується 60 % адміністративного збору.{' '}
              <Link to="/me" className="link">
                Додайте рахунок у профілі
              </Link>{' '}
              – введене тут збережеться.
            </Trans>
          </Notice>
        )}
        {deal.unanswered !== null && (
          <Suspense>
            <Unanswered deal={deal} />
          </Suspense>
        )}
        {deal.unanswered === null && (
          <Failed failure={form.failure} title={<Trans>Платежі не вдалося додати</Trans>} />
        )}
        <Failed failure={deal.printing.failure} title={<Trans>Розрахунок не завантажено</Trans>} />
        <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
          {count > 0 && <ToCart count={count} added={added} />}
          <Actions deal={deal} count={count} />
        </div>
      </div>
    </section>
  )
}

/** How many payments would be added, and their sum. */
function ToCart({ count, added }: { readonly count: number; readonly added: Kopiykas }) {
  return (
    <p className="flex min-w-0 grow basis-80 flex-wrap items-baseline justify-between gap-x-4 sm:order-last sm:justify-end">
      <span className="text-ink-soft">
        <Plural
          value={count}
          one="До кошика: # платіж"
          few="До кошика: # платежі"
          many="До кошика: # платежів"
          other="До кошика: # платежу"
        />
      </span>
      <Sum value={added} size="total" />
      <span className="basis-full text-sm text-ink-soft sm:text-right">
        <Trans>Без комісії сервісу: її видно в кошику.</Trans>
      </span>
    </p>
  )
}

/** The buttons of the form. `count`: how many payments would be added. */
function Actions({ deal, count }: { readonly deal: Deal; readonly count: number }) {
  const { t } = useLingui()
  const { form, lines, calculation, recipients } = deal
  const nothing = lines.length > 0 && count === 0
  return (
    <div className="actions">
      <Button
        variant="primary"
        type="submit"
        loading={form.busy || calculation.waiting || recipients.loading}
        disabledReason={
          nothing
            ? t`Немає платежів, які можна додати до кошика`
            : deal.unanswered === 'other'
              ? t`Спершу перевірте кошик`
              : null
        }
      >
        <Trans>Додати до кошика</Trans>
      </Button>
      <Button
        icon="sheet"
        loading={deal.printing.running}
        disabledReason={lines.length === 0 ? t`Спершу опишіть нотаріальну дію` : null}
        onClick={deal.printing.start}
      >
        <Trans>Розрахунок (PDF)</Trans>
      </Button>
      <Button onClick={deal.clear}>
        <Trans>Очистити</Trans>
      </Button>
    </div>
  )
}
