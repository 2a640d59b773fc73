import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useRef, useState } from 'react'
import { passkeysQuery, type Passkey } from '@/api/passkeys'
import { Failed } from '@/forms/failed'
import { loadCatalog } from '@/i18n/i18n'
import { proofTexts } from '@/i18n/proof/catalog'
import { longMoment } from '@/lib/dates'
import { later } from '@/lib/later'
import { hasPasskeys } from '@/lib/passkeys'
import { useLocale } from '@/lib/use-locale'
import { Button } from '@/ui/button'
import { Sheet } from '@/ui/sheet'
import { Skeleton } from '@/ui/skeleton'
import { StatusMark } from '@/ui/status-mark'
import { useFocusAfter } from '@/ui/use-focus-after'

/** Loaded when one is opened, with the words of its refusals. */
const dialogs = async () => (await Promise.all([import('./passkey-dialogs'), loadCatalog(proofTexts)]))[0]
const AddDialog = later(async () => (await dialogs()).AddDialog)
const RenameDialog = later(async () => (await dialogs()).RenameDialog)
const RemoveDialog = later(async () => (await dialogs()).RemoveDialog)

/** What is being done, in a dialog. */
type Act = { readonly kind: 'add' } | { readonly kind: 'rename' | 'remove'; readonly passkey: Passkey }

/** The passkeys by which the notary signs in. */
export function Passkeys() {
  const passkeys = useQuery({ ...passkeysQuery(), retryOnMount: false })
  return (
    <Sheet heading={<Trans>Ключі доступу</Trans>}>
      <div className="flex flex-col gap-5">
        <p>
          <Trans>
            Ключ доступу замінює номер телефону й код: для входу досить відбитка пальця, обличчя або PIN-коду
            пристрою. На підробленому сайті він не спрацює. Через деякий час після додавання ним можна
            підтверджувати й оплату новим отримувачам замість коду із SMS.
          </Trans>
        </p>
        <p className="text-sm text-ink-soft">
          <Trans>
            Код із SMS захищає слабше: зловмисник може перевипустити вашу SIM-картку або випитати код
            телефоном, а ключ доступу випитати неможливо.
          </Trans>
        </p>
        {passkeys.isPending && <Waiting />}
        {passkeys.isError && passkeys.data === undefined && (
          <Failed
            failure={passkeys.error}
            title={<Trans>Список ключів доступу не вдалося завантажити</Trans>}
            retry={<Trans>Спробувати ще раз</Trans>}
            retrying={passkeys.isFetching}
            onRetry={() => void passkeys.refetch()}
          />
        )}
        {passkeys.data && <PasskeyList passkeys={passkeys.data.passkeys} most={passkeys.data.passkeys_max} />}
      </div>
    </Sheet>
  )
}

interface PasskeyListProps {
  readonly passkeys: readonly Passkey[]
  /** How many the notary may have. */
  readonly most: number
}

function PasskeyList({ passkeys, most }: PasskeyListProps) {
  const { t } = useLingui()
  const list = useRef<HTMLDivElement>(null)
  const [act, setAct] = useState<Act | null>(null)
  const [removedId, setRemovedId] = useState<string | null>(null)
  // Not to the next button, which a second press would use.
  useFocusAfter(removedId !== null && !passkeys.some(({ id }) => id === removedId), list)
  const close = () => setAct(null)
  return (
    <div ref={list} tabIndex={-1} className="flex flex-col gap-5">
      {passkeys.length === 0 ? (
        <p className="text-sm text-ink-soft">
          <Trans>Ключів доступу ще немає.</Trans>
        </p>
      ) : (
        <ul aria-label={t`Ключі доступу`} className="flex flex-col">
          {passkeys.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} onAct={(kind) => setAct({ kind, passkey })} />
          ))}
        </ul>
      )}
      <Adding isFull={passkeys.length >= most} most={most} onAdd={() => setAct({ kind: 'add' })} />
      <Suspense>
        {act?.kind === 'add' && <AddDialog onClose={close} />}
        {act?.kind === 'rename' && <RenameDialog passkey={act.passkey} onClose={close} />}
        {act?.kind === 'remove' && (
          <RemoveDialog
            passkey={act.passkey}
            onRemoved={() => setRemovedId(act.passkey.id)}
            onClose={close}
          />
        )}
      </Suspense>
    </div>
  )
}

interface AddingProps {
  readonly isFull: boolean
  readonly most: number
  readonly onAdd: () => void
}

function Adding({ isFull, most, onAdd }: AddingProps) {
  const full = useRef<HTMLParagraphElement>(null)
  const [isPressed, setPressed] = useState(false)
  // The last one that there can be was added.
  useFocusAfter(isPressed && isFull, full)
  if (!hasPasskeys()) {
    return (
      <p className="text-sm text-ink-soft">
        <Trans>
          Цей браузер не підтримує ключів доступу. Щоб додати ключ, відкрийте кабінет в оновленому Chrome,
          Edge, Firefox або Safari.
        </Trans>
      </p>
    )
  }
  if (isFull) {
    return (
      <p ref={full} tabIndex={-1} className="text-sm text-ink-soft">
        <Trans>Ключів доступу може бути не більше ніж {most}. Щоб додати новий, видаліть зайвий.</Trans>
      </p>
    )
  }
  return (
    <p>
      <Button
        icon="plus"
        onClick={() => {
          setPressed(true)
          onAdd()
        }}
      >
        <Trans>Додати ключ доступу</Trans>
      </Button>
    </p>
  )
}

interface PasskeyRowProps {
  readonly passkey: Passkey
  readonly onAct: (kind: 'rename' | 'remove') => void
}

function PasskeyRow({ passkey, onAct }: PasskeyRowProps) {
  const { t } = useLingui()
  const locale = useLocale()
  const { label, is_synced: isSynced, created_at: createdAt, last_used_at: lastUsedAt } = passkey
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 border-b border-rule py-4 first:pt-0">
      <div className="flex min-w-0 flex-col gap-1">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 font-medium">
          <span className="min-w-0 break-words">{label}</span>
          {isSynced && (
            <StatusMark tone="neutral">
              <Trans>Синхронізується</Trans>
            </StatusMark>
          )}
        </p>
        <p className="text-sm text-ink-soft">
          <Trans>Додано: {longMoment(createdAt, locale)}</Trans>
        </p>
        <p className="text-sm text-ink-soft">
          {lastUsedAt === null ? (
            <Trans>Ще не використовувався</Trans>
          ) : (
            <Trans>Останнє використання: {longMoment(lastUsedAt, locale)}</Trans>
          )}
        </p>
      </div>
      <div className="flex flex-wrap gap-3">
        <Button
          size="small"
          aria-label={t`Перейменувати ключ доступу: ${label}`}
          onClick={() => onAct('rename')}
        >
          <Trans>Перейменувати</Trans>
        </Button>
        <Button size="small" aria-label={t`Видалити ключ доступу: ${label}`} onClick={() => onAct('remove')}>
          <Trans>Видалити</Trans>
        </Button>
      </div>
    </li>
  )
}

function Waiting() {
  const { t } = useLingui()
  return (
    <div role="status" aria-label={t`Завантаження…`} className="flex flex-col gap-3">
      <Skeleton className="h-5 w-48 max-w-full" />
      <Skeleton className="h-11 w-56 max-w-full" />
    </div>
  )
}
