import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { session } from '@/api/session'
import { PasskeyFailure, hasPasskeys } from '@/lib/passkeys'
import { Button } from '@/ui/button'
import { refusalText } from './refusal-text'

/** Signs in by a passkey, after a press alone: the browser is asked for nothing before. */
export function PasskeyLogin() {
  const { t } = useLingui()
  const [busy, setBusy] = useState(false)
  const [trouble, setTrouble] = useState<string | null>(null)
  if (!hasPasskeys()) return null

  function textOf(failure: unknown): string {
    if (!(failure instanceof PasskeyFailure)) return refusalText(failure)
    return failure.trouble === 'cancelled'
      ? t`Вхід із ключем доступу не виконано. Спробуйте ще раз або введіть номер телефону.`
      : t`Браузер не зміг використати ключ доступу. Увійдіть за номером телефону.`
  }

  async function enter() {
    setBusy(true)
    setTrouble(null)
    try {
      const { enterByPasskey } = await import('@/api/passkeys')
      session.open(await enterByPasskey())
    } catch (failure) {
      setTrouble(textOf(failure))
      setBusy(false)
    }
  }

  return (
    <>
      <Button wide loading={busy} onClick={() => void enter()}>
        <Trans>Увійти з ключем доступу</Trans>
      </Button>
      <p role="alert" className="text-sm text-danger empty:hidden">
        {trouble}
      </p>
    </>
  )
}
