import { Trans } from '@lingui/react/macro'
import { useSyncExternalStore } from 'react'

function subscribe(listener: () => void): () => void {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}

/** Says that the connection is gone, and that nothing typed is lost. */
export function OfflineBanner() {
  const online = useSyncExternalStore(subscribe, () => navigator.onLine)
  return (
    <div role="status" className="sticky top-0 z-40 print:hidden">
      {!online && (
        <p className="bg-caution-wash px-4 py-2.5 text-center text-sm font-medium text-caution">
          <Trans>Немає зв’язку з інтернетом. Введене збережено; продовжимо, щойно зв’язок відновиться.</Trans>
        </p>
      )}
    </div>
  )
}
