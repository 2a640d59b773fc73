import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState, type CSSProperties } from 'react'
import { queryClient } from '@/api/query-client'
import { loadCardsAddress, savedCardsQuery } from '@/api/saved-cards'
import { failureText } from '@/i18n/message-texts'
import { externalUrl } from '@/lib/external-url'
import { useLocale } from '@/lib/use-locale'
import { Button } from '@/ui/button'
import { Notice } from '@/ui/notice'
import { Spinner } from '@/ui/spinner'
import { useFrameHeight } from './frame-height'

/** After this time the frame counts as blocked or unavailable. */
const loadWithinMilliseconds = 10_000

/**
 * The payment service's page for saving and removing cards. Its address is valid once, for a short time and for one
 * language, so a new one is requested for every visit, retry and change of the language.
 */
export function CardsFrame() {
  const { i18n } = useLingui()
  const language = useLocale()
  const [attempt, setAttempt] = useState(0)
  const address = useQuery({
    queryKey: ['cards-frame', language, attempt],
    queryFn: async ({ signal }) =>
      externalUrl(new URL(await loadCardsAddress(language, signal), location.href).href),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const tryAgain = () => setAttempt(attempt + 1)

  if (address.isError) return <NotLoaded reason={failureText(address.error, i18n)} onTryAgain={tryAgain} />
  if (address.data === null) return <NotLoaded onTryAgain={tryAgain} />
  return <Frame key={address.data ?? 'waiting'} address={address.data} onTryAgain={tryAgain} />
}

/** Each page of the frame may come after a card was saved or removed, and so may the next page of the cabinet. */
const readCardsAnew = () => void queryClient.invalidateQueries({ queryKey: savedCardsQuery().queryKey })

interface FrameProps {
  /** Undefined while it is loading. */
  readonly address: string | undefined
  readonly onTryAgain: () => void
}

function Frame({ address, onTryAgain }: FrameProps) {
  const { t } = useLingui()
  const [state, setState] = useState<'loading' | 'loaded' | 'late'>('loading')
  const frame = useRef<HTMLIFrameElement>(null)
  const height = useFrameHeight(frame, address)

  useEffect(() => readCardsAnew, [])
  useEffect(() => {
    if (state !== 'loading') return undefined
    const timer = setTimeout(() => setState('late'), loadWithinMilliseconds)
    return () => clearTimeout(timer)
  }, [state])

  return (
    <div className="flex flex-col gap-4">
      {state === 'late' && <NotLoaded onTryAgain={onTryAgain} />}
      {/* 600 px high (specification); on a phone as high as its content, to avoid nested scrolling. */}
      <div
        className="relative h-[600px] overflow-hidden rounded-sm bg-sheet shadow-sheet max-sm:h-(--height)"
        style={{ '--height': `${height ?? 600}px` } as CSSProperties}
        aria-busy={state === 'loading'}
      >
        {state === 'loading' && (
          <div className="absolute inset-0 flex items-center justify-center text-seal">
            <Spinner size={40} label={t`Завантажуємо ваші картки…`} />
          </div>
        )}
        {address !== undefined && (
          <iframe
            ref={frame}
            src={address}
            title={t`Керування збереженими картками`}
            height={600}
            referrerPolicy="no-referrer"
            onLoad={() => {
              setState('loaded')
              readCardsAnew()
            }}
            className="relative block h-full w-full border-0"
          />
        )}
      </div>
      {/* A cross-origin frame does not report its failures, so the person can reload it. */}
      {state === 'loaded' && (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Button size="small" icon="refresh" onClick={onTryAgain}>
            <Trans>Завантажити ще раз</Trans>
          </Button>
          <p className="min-w-0 flex-1 basis-64 text-sm text-ink-soft">
            <Trans>
              Якщо карток не видно, їх сторінку може блокувати браузер або мережа. На ваші картки й платежі це
              не впливає.
            </Trans>
          </p>
        </div>
      )}
    </div>
  )
}

function NotLoaded({ reason, onTryAgain }: { readonly reason?: string; readonly onTryAgain: () => void }) {
  const { t } = useLingui()
  return (
    <Notice
      tone="error"
      title={t`Сторінку карток не вдалося завантажити`}
      actions={
        <Button size="small" icon="refresh" onClick={onTryAgain}>
          <Trans>Спробувати ще раз</Trans>
        </Button>
      }
    >
      {reason ?? t`Можливо, її блокує браузер або мережа. На ваші картки й платежі це не впливає.`}
    </Notice>
  )
}
