import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { saveCardFigures, type CardFigures } from '@/api/card-figures'
import { queryClient } from '@/api/query-client'
import { securityKey } from '@/api/security'
import { FailedLine } from '@/forms/failed'
import { loadCatalog } from '@/i18n/i18n'
import { proofTexts } from '@/i18n/proof/catalog'
import { messageText } from '@/i18n/message-texts'
import { editableMoney, fromHryvnias, toHryvnias, type Kopiykas } from '@/lib/money'
import { parseMoney } from '@/lib/money-typed'
import { useLocale } from '@/lib/use-locale'
import { Button } from '@/ui/button'
import { announce } from '@/ui/live-region'
import { MoneyField } from '@/ui/money-field'

type ReadSum = ReturnType<typeof parseMoney>

/** Saves the sums of the fields once both are right. */
function useSaving(read: { readonly daily: ReadSum; readonly told: ReadSum }) {
  const { t } = useLingui()
  const [isChecked, setChecked] = useState(false)
  const save = useMutation({
    mutationFn: saveCardFigures,
    // A refusal needs its words.
    onError: () => loadCatalog(proofTexts),
    onSuccess: async () => {
      announce(t`Суми збережено`)
      await queryClient.invalidateQueries({ queryKey: securityKey })
    },
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    setChecked(true)
    if (!read.daily.ok || !read.told.ok || save.isPending) return
    save.mutate({
      daily_unproved_max: toHryvnias(read.daily.value),
      told_from: toHryvnias(read.told.value),
    })
  }

  return { isChecked, save, submit }
}

/** Changes the sums. The server asks for a proof of larger ones, in a dialog. */
export function FiguresForm({ figures }: { readonly figures: CardFigures }) {
  const { t, i18n } = useLingui()
  const [daily, setDaily] = useTyped(figures.daily_unproved_max)
  const [told, setTold] = useTyped(figures.told_from)
  const read = { daily: parseMoney(daily), told: parseMoney(told) }
  const { isChecked, save, submit } = useSaving(read)
  const errorOf = (sum: ReadSum) => (isChecked && !sum.ok ? messageText(sum.error, i18n) : null)
  const isSaved =
    save.isSuccess && isSame(read.daily, figures.daily_unproved_max) && isSame(read.told, figures.told_from)
  return (
    <form noValidate className="flex max-w-xl flex-col gap-5" onSubmit={submit}>
      <MoneyField
        label={t`Без підтвердження за добу`}
        hint={t`Понад цю суму ми просимо підтвердити й оплату отримувачам, яким ви вже платили. Платежі на рахунки з таблиць кабінету не враховуються.`}
        value={daily}
        onValueChange={setDaily}
        error={errorOf(read.daily)}
      />
      <MoneyField
        label={t`Повідомляти про оплату від`}
        hint={t`Про кожну оплату збереженою карткою від цієї суми надішлемо повідомлення.`}
        value={told}
        onValueChange={setTold}
        error={errorOf(read.told)}
      />
      <p className="text-sm text-ink-soft">
        <Trans>Щоб збільшити суму, потрібне підтвердження. Зменшити можна одразу.</Trans>
      </p>
      <FailedLine failure={save.error} />
      {isSaved && (
        <p className="text-sm text-ink-soft">
          <Trans>Суми збережено</Trans>
        </p>
      )}
      <p>
        <Button type="submit" loading={save.isPending}>
          <Trans>Зберегти</Trans>
        </Button>
      </p>
    </form>
  )
}

/** The text of a field of this sum. It follows the sum, which another window or device may change, unless another one was typed. */
function useTyped(sum: number): readonly [string, (text: string) => void] {
  const locale = useLocale()
  const [typed, setTyped] = useState<string | null>(null)
  const [seen, setSeen] = useState(sum)
  if (seen !== sum) {
    setSeen(sum)
    const read = parseMoney(typed ?? '')
    if (isSame(read, seen) || isSame(read, sum)) setTyped(null)
  }
  return [typed ?? editableMoney(fromHryvnias(sum), locale), setTyped]
}

const isSame = (read: ReadSum, sum: number) =>
  read.ok && read.value === (fromHryvnias(sum) satisfies Kopiykas)
