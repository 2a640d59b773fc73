import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'

import { firstPaidKey } from '@/api/order-cache'
import { loadOrders } from '@/api/orders'
import { savedCardsQuery } from '@/api/saved-cards'
import type { User } from '@/api/user'
import { hasAccount, setFirstSteps } from '@/lib/first-steps'
import { IconButton } from '@/ui/button'
import { cx } from '@/ui/cx'
import { Icon } from '@/ui/icons'

interface FirstStepsProps {
  readonly user: User
  /** Called when the notary hides the list, or everything is done. */
  readonly onEnd: () => void
  /** Called when a link is followed, to close the menu. */
  readonly onFollow?: () => void
}

/**
 * Leads a newcomer to the account, a saved card and the first payment. The bank and the archive are asked only once the account is
 * there, since a newcomer without one has neither card nor payment.
 */
export function FirstSteps({ user, onEnd, onFollow }: FirstStepsProps) {
  const { t } = useLingui()
  const account = hasAccount(user)
  const cards = useQuery({ ...savedCardsQuery(), enabled: account, retry: false })
  const paid = useQuery({
    queryKey: firstPaidKey,
    queryFn: ({ signal }) => loadOrders({ status: 'paid' }, null, signal),
    // Once something was paid, that stays so.
    enabled: ({ state }) => account && !state.data?.orders.length,
    retry: false,
  })
  const card = (cards.data?.tokens.length ?? 0) > 0
  const payment = (paid.data?.orders.length ?? 0) > 0
  const done = account && card && payment

  useEffect(() => setFirstSteps(user.id, done ? 'over' : 'open'), [user.id, done])
  if (done) return null

  const steps = [
    { to: '/me', label: t`Рахунок і код`, why: t`щоб отримувати 60 % збору`, isDone: account },
    { to: '/me/user-cards', label: t`Збережена картка`, why: t`щоб платити одним натисканням`, isDone: card },
    { to: '/', label: t`Перший платіж`, why: t`до кошика, а звідти – до оплати`, isDone: payment },
  ] as const
  return (
    <section aria-label={t`Перші кроки`} className="rounded-sm border border-rule bg-sheet p-3 text-sm">
      <div className="flex items-center justify-between gap-2">
        <h2 className="font-semibold">
          <Trans>Перші кроки</Trans>
        </h2>
        <IconButton
          icon="close"
          label={t`Сховати перші кроки`}
          onClick={() => {
            setFirstSteps(user.id, 'over')
            onEnd()
          }}
          className="-mt-1.5 -mr-2"
        />
      </div>
      <ol className="flex flex-col">
        {steps.map(({ to, label, why, isDone }) => (
          <li key={to} className="flex gap-2 border-t border-rule py-2 first:border-t-0">
            <Icon
              name={isDone ? 'check' : 'plus'}
              size={18}
              className={cx('mt-0.5 shrink-0', isDone ? 'text-seal' : 'text-ink-soft')}
            />
            <span>
              {isDone ? (
                <>
                  {label} <span className="sr-only">{t`(зроблено)`}</span>
                </>
              ) : (
                <Link to={to} className="link" {...(onFollow && { onClick: onFollow })}>
                  {label}
                </Link>
              )}
              <span className="block text-ink-soft">{why}</span>
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}
