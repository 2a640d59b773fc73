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
import { Icon } from '@/ui/icons'

interface FirstStepsProps {
  readonly user: User
  /** Called when the notary hides the list, or everything is done. */
  readonly onEnd: () => void
}

/** The account, a saved card and the first payment, in whatever order, and what of it is done. */
function useSteps(user: User) {
  const { t } = useLingui()
  const account = hasAccount(user)
  const paid = useQuery({
    queryKey: firstPaidKey,
    queryFn: ({ signal }) => loadOrders({ status: 'paid' }, null, signal),
    // Once something was paid, that stays so.
    enabled: ({ state }) => !state.data?.orders.length,
    retry: false,
  })
  const payment = (paid.data?.orders.length ?? 0) > 0
  const cards = useQuery({ ...savedCardsQuery(), retry: false })
  const card = (cards.data?.tokens.length ?? 0) > 0
  return [
    {
      to: '/me',
      hash: 'profile-iban',
      label: t`Рахунок і код`,
      why: t`щоб отримувати 60 % збору`,
      isDone: account,
    },
    {
      to: '/me/user-cards',
      hash: '',
      label: t`Збережена картка`,
      why: t`щоб платити одним натисканням`,
      isDone: card,
    },
    {
      to: '/',
      hash: '',
      label: t`Перший платіж`,
      why: t`до кошика, а звідти – до оплати`,
      isDone: payment,
    },
  ] as const
}

/** Leads a newcomer through the first steps. */
export function FirstSteps({ user, onEnd }: FirstStepsProps) {
  const { t } = useLingui()
  const steps = useSteps(user)
  const done = steps.every(({ isDone }) => isDone)

  useEffect(() => {
    setFirstSteps(user.id, done ? 'over' : 'open')
    if (done) onEnd()
  }, [user.id, done, onEnd])

  return (
    <section
      aria-label={t`Перші кроки`}
      className="relative flex flex-wrap items-baseline gap-x-6 gap-y-1.5 rounded-sm border border-rule bg-sheet py-2.5 pr-12 pl-4 text-sm"
    >
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
        className="absolute top-0 right-0"
      />
      <ol className="flex grow flex-wrap gap-x-6 gap-y-1">
        {steps.map((step) => (
          <Step key={step.to} {...step} />
        ))}
      </ol>
    </section>
  )
}

function Step({ to, hash, label, why, isDone }: ReturnType<typeof useSteps>[number]) {
  const { t } = useLingui()
  return (
    <li className="flex gap-2">
      {isDone ? (
        <Icon name="check" size={18} className="mt-0.5 shrink-0 text-seal" />
      ) : (
        <span aria-hidden="true" className="m-0.5 mt-1 size-3.5 shrink-0 rounded-full border border-edge" />
      )}
      <span>
        {isDone ? (
          <>
            {label} <span className="sr-only">{t`(зроблено)`}</span>
          </>
        ) : (
          <Link to={to} hash={hash} className="link">
            {label}
          </Link>
        )}
        {/* A low window has its room for the page. */}
        <span className="block text-ink-soft max-sm:hidden [@media(height<40rem)]:hidden">{why}</span>
      </span>
    </li>
  )
}
