import { Trans } from '@lingui/react/macro'
import { useOnline } from '@/lib/use-online'

/** Shown while there is no connection. Nothing typed is lost. */
export function OfflineBanner() {
  const online = useOnline()
  return (
    <div role="status">
      {!online && (
        <p className="bg-caution-wash px-4 py-2.5 text-center text-sm font-medium text-caution">
          <Trans>
            Немає зв’язку з інтернетом. Введені дані збережено. Робота продовжиться, щойно зв’язок
            відновиться.
          </Trans>
        </p>
      )}
    </div>
  )
}
