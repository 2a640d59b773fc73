import { i18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'

import { showToast } from '@/ui/toast'

/** Tells, on the way to the archive, that the order could not be loaded (specification, point 4). */
export function tellNotLoaded(): void {
  showToast({
    tone: 'error',
    text: i18n._(msg`Дізнатися статус замовлення не вдалося. Перевірте його тут, в архіві`),
    lasts: 8000,
  })
}
