import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import { useConfig } from '@/api/use-config'
import { Button } from '@/ui/button'

/** Limits the wait where the clock of the device is wrong. */
const waitAtMostSeconds = 120

function secondsUntil(moment: string): number {
  const seconds = Math.ceil((Date.parse(moment) - Date.now()) / 1000)
  return Math.min(Math.max(seconds, 0), waitAtMostSeconds)
}

function clock(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

interface ResendLineProps {
  readonly resendAt: string
  readonly onResend: () => Promise<void>
}

/** Counts down until a new code may be requested, then shows the button and the phone of the support. */
export function ResendLine({ resendAt, onResend }: ResendLineProps) {
  const { t } = useLingui()
  const support = useConfig()?.support
  const [left, setLeft] = useState(() => secondsUntil(resendAt))
  const [busy, setBusy] = useState(false)
  const waiting = left > 0

  useEffect(() => {
    if (!waiting) return undefined
    const timer = setInterval(() => setLeft((seconds) => Math.max(seconds - 1, 0)), 1000)
    return () => clearInterval(timer)
  }, [waiting])

  async function resend() {
    setBusy(true)
    await onResend()
    setBusy(false)
  }

  if (waiting) {
    const time = clock(left)
    return (
      <p className="flex min-h-9 items-center text-sm text-ink-soft tabular-nums">
        {t`Новий код можна надіслати через ${time}`}
      </p>
    )
  }
  return (
    <div className="flex flex-col items-start gap-2 text-sm">
      <Button size="small" icon="refresh" loading={busy} onClick={() => void resend()}>
        <Trans>Надіслати код ще раз</Trans>
      </Button>
      {support && (
        <p className="text-ink-soft">
          <Trans>
            Код не надходить? Зателефонуйте:{' '}
            <a href={`tel:${support.phone.replace(/[^\d+]/gu, '')}`} className="link whitespace-nowrap">
              {support.phone}
            </a>
          </Trans>
        </p>
      )}
    </div>
  )
}
