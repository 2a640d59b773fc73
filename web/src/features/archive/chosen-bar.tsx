import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'

import { chosenArchive, chosenReceipts, findPaidOrders } from '@/api/chosen-receipts'
import type { OrderFilter } from '@/api/orders'
import { useDownloads, type Downloads } from '@/api/use-download'
import { Failed } from '@/forms/failed'
import { Button } from '@/ui/button'
import { announce } from '@/ui/live-region'
import { Menu } from '@/ui/menu'
import { Spinner } from '@/ui/spinner'

import { CHOSEN_MAX } from './chosen'

interface ChosenBarProps {
  readonly chosen: ReadonlySet<string>
  readonly filter: OrderFilter
  readonly onChoose: (ids: readonly string[]) => void
}

/** Chooses all orders of the filter, and downloads the receipts of the chosen ones. */
export function ChosenBar({ chosen, filter, onChoose }: ChosenBarProps) {
  const { t } = useLingui()
  const count = chosen.size
  const all = useMutation({
    mutationFn: () => findPaidOrders(filter, CHOSEN_MAX),
    onSuccess: ({ ids, isAll }) => {
      onChoose(ids)
      const found = ids.length
      announce(
        isAll ? t`Вибрано замовлень: ${found}` : t`Вибрано перші ${found} замовлень: більше за раз не можна`,
      )
    },
  })
  return (
    <div className="flex flex-col gap-3 print:hidden">
      <div
        role="group"
        aria-label={t`Квитанції кількох замовлень`}
        tabIndex={-1}
        className="flex min-h-9 flex-wrap items-center gap-x-4 gap-y-2"
      >
        {count > 0 && <ChosenActions chosen={chosen} onChoose={onChoose} />}
        <Button size="small" loading={all.isPending} onClick={() => all.mutate()}>
          <Trans>Вибрати всі сплачені</Trans>
        </Button>
        {all.data?.isAll === false && count > 0 && (
          <p className="text-sm text-ink-soft">
            <Trans>Знайдено більше: за раз можна вибрати {CHOSEN_MAX}. Звузьте період.</Trans>
          </p>
        )}
      </div>
      <Failed failure={all.error} title={<Trans>Замовлення не вибрано</Trans>} />
    </div>
  )
}

function ChosenActions({ chosen, onChoose }: Pick<ChosenBarProps, 'chosen' | 'onChoose'>) {
  const { t } = useLingui()
  const { start, running, failure } = useDownloads()
  const count = chosen.size
  return (
    <>
      <p role="status" className="text-sm font-semibold">
        <Plural
          value={count}
          one="Вибрано # замовлення"
          few="Вибрано # замовлення"
          many="Вибрано # замовлень"
          other="Вибрано # замовлення"
        />
      </p>
      {count > CHOSEN_MAX ? (
        <p className="text-sm text-danger">
          <Trans>За раз можна завантажити квитанції {CHOSEN_MAX} замовлень. Зніміть вибір із решти.</Trans>
        </p>
      ) : (
        <ChosenReceipts ids={[...chosen]} start={start} />
      )}
      {running.size > 0 && <Spinner label={t`Завантажуємо квитанції…`} />}
      <Button
        size="small"
        icon="close"
        onClick={({ currentTarget }) => {
          // The pressed button disappears. The next one would choose all.
          currentTarget.closest<HTMLElement>('[role=group]')?.focus()
          onChoose([])
        }}
      >
        <Trans>Зняти вибір</Trans>
      </Button>
      <Failed failure={failure} className="basis-full" title={<Trans>Квитанції не завантажено</Trans>} />
    </>
  )
}

/** The receipts of several orders, in a ZIP or as one document. */
function ChosenReceipts({ ids, start }: { readonly ids: string[]; readonly start: Downloads['start'] }) {
  const { t } = useLingui()
  return (
    <Menu
      size="small"
      icon="download"
      label={t`Квитанції вибраних замовлень`}
      items={[
        {
          id: 'all',
          icon: 'archive',
          label: t`Усі квитанції (ZIP)`,
          onSelect: () => start({ name: 'all', load: () => chosenArchive(ids) }),
        },
        {
          id: 'payment',
          icon: 'receipt',
          label: t`Квитанції про сплату (один PDF)`,
          onSelect: () => start({ name: 'payment', load: () => chosenReceipts(ids, 'payment') }),
        },
        {
          id: 'commission',
          icon: 'receipt',
          label: t`Квитанції про комісію (один PDF)`,
          onSelect: () => start({ name: 'commission', load: () => chosenReceipts(ids, 'commission') }),
        },
      ]}
    />
  )
}
