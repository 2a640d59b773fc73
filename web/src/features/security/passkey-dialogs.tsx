import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useId, useState, type FormEvent, type ReactNode } from 'react'
import { addPasskey, removePasskey, renamePasskey, type Passkey } from '@/api/passkeys'
import { queryClient } from '@/api/query-client'
import { securityKey, sessionsQuery } from '@/api/security'
import { FailedLine } from '@/forms/failed'
import { failureText } from '@/i18n/message-texts'
import { PasskeyFailure } from '@/lib/passkeys'
import { Button } from '@/ui/button'
import { Dialog } from '@/ui/dialog'
import { announce } from '@/ui/live-region'
import { TextField } from '@/ui/text-field'

const LABEL_CHARS_MAX = 60

const refresh = () => queryClient.invalidateQueries({ queryKey: securityKey })

interface LabelDialogProps {
  readonly title: string
  readonly initial: string
  readonly submitLabel: ReactNode
  readonly busy: boolean
  readonly failure: string | null
  readonly onSubmit: (label: string) => void
  readonly onClose: () => void
  /** Stands above the field. */
  readonly children?: ReactNode
}

/** Asks for the name of a passkey. */
function LabelDialog({
  title,
  initial,
  submitLabel,
  busy,
  failure,
  onSubmit,
  onClose,
  children,
}: LabelDialogProps) {
  const { t } = useLingui()
  const form = useId()
  const [label, setLabel] = useState(initial)
  const [missing, setMissing] = useState(false)
  const tidy = label.trim()

  function submit(event: FormEvent) {
    event.preventDefault()
    setMissing(tidy === '')
    if (tidy !== '' && !busy) onSubmit(tidy)
  }

  return (
    <Dialog
      open
      onClose={onClose}
      closable={!busy}
      title={title}
      actions={
        <>
          <Button type="submit" form={form} variant="primary" loading={busy}>
            {submitLabel}
          </Button>
          <Button onClick={() => !busy && onClose()}>
            <Trans>Скасувати</Trans>
          </Button>
        </>
      }
    >
      {children}
      <form id={form} noValidate onSubmit={submit}>
        <TextField
          label={t`Назва ключа`}
          hint={t`Щоб відрізнити його від інших, наприклад «Робочий комп’ютер»`}
          value={label}
          maxLength={LABEL_CHARS_MAX}
          autoComplete="off"
          data-focus-first
          onValueChange={setLabel}
          error={missing && tidy === '' ? t`Введіть назву ключа` : null}
        />
      </form>
      {failure !== null && (
        <p role="alert" className="text-danger">
          {failure}
        </p>
      )}
    </Dialog>
  )
}

interface DialogProps {
  readonly onClose: () => void
}

/** Adds a passkey of this device. The code is asked for in a dialog over this one. */
export function AddDialog({ onClose }: DialogProps) {
  const { t, i18n } = useLingui()
  const current = useQuery({
    ...sessionsQuery(),
    select: ({ sessions }) => sessions.find((session) => session.is_current)?.browser ?? '',
  })
  const add = useMutation({
    mutationFn: addPasskey,
    onSuccess: async () => {
      onClose()
      announce(t`Ключ доступу додано`)
      await refresh()
    },
  })

  function textOf(failure: Error): string {
    if (!(failure instanceof PasskeyFailure)) return failureText(failure, i18n)
    switch (failure.trouble) {
      case 'cancelled':
        return t`Ключ не створено. Спробуйте ще раз: новий код не потрібен.`
      case 'known':
        return t`На цьому пристрої вже є ключ доступу до вашого кабінету.`
      case 'unable':
        return t`Браузер не зміг створити ключ. Спробуйте на іншому пристрої або в іншому браузері.`
    }
  }

  return (
    <LabelDialog
      title={t`Додати ключ доступу`}
      initial={current.data ?? ''}
      submitLabel={<Trans>Продовжити</Trans>}
      busy={add.isPending}
      failure={add.error === null ? null : textOf(add.error)}
      onSubmit={(label) => add.mutate(label)}
      onClose={onClose}
    >
      <p>
        <Trans>
          Спочатку підтвердьте дію кодом із SMS. Потім браузер запитає, де зберегти ключ: на цьому пристрої, у
          менеджері паролів або на ключі безпеки.
        </Trans>
      </p>
    </LabelDialog>
  )
}

interface PasskeyDialogProps extends DialogProps {
  readonly passkey: Passkey
}

export function RenameDialog({ passkey, onClose }: PasskeyDialogProps) {
  const { t, i18n } = useLingui()
  const rename = useMutation({
    mutationFn: (label: string) => renamePasskey(passkey.id, label),
    onSuccess: async () => {
      onClose()
      announce(t`Ключ доступу перейменовано`)
      await refresh()
    },
  })
  return (
    <LabelDialog
      title={t`Перейменувати ключ доступу`}
      initial={passkey.label}
      submitLabel={<Trans>Зберегти</Trans>}
      busy={rename.isPending}
      failure={rename.error === null ? null : failureText(rename.error, i18n)}
      onSubmit={(label) => rename.mutate(label)}
      onClose={onClose}
    />
  )
}

interface RemoveDialogProps extends PasskeyDialogProps {
  readonly onRemoved: () => void
}

export function RemoveDialog({ passkey, onRemoved, onClose }: RemoveDialogProps) {
  const { t } = useLingui()
  const { label } = passkey
  const remove = useMutation({
    mutationFn: () => removePasskey(passkey.id),
    onSuccess: async () => {
      onRemoved()
      onClose()
      announce(t`Ключ доступу видалено`)
      await refresh()
    },
  })
  return (
    <Dialog
      open
      onClose={onClose}
      closable={!remove.isPending}
      title={t`Видалити ключ доступу?`}
      actions={
        <>
          <Button variant="danger" loading={remove.isPending} onClick={() => remove.mutate()}>
            <Trans>Видалити</Trans>
          </Button>
          <Button onClick={() => !remove.isPending && onClose()}>
            <Trans>Скасувати</Trans>
          </Button>
        </>
      }
    >
      <p className="break-words">
        <Trans>
          Увійти з ключем «{label}» більше не вийде. Сеанси, відкриті ним, залишаться. Дію треба підтвердити
          кодом із SMS.
        </Trans>
      </p>
      <p>
        <Trans>На самому пристрої ключ залишиться: видаліть його там, де зберігаються паролі.</Trans>
      </p>
      <FailedLine failure={remove.error} />
    </Dialog>
  )
}
