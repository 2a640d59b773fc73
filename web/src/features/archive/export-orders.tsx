import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'

import { exportOrders } from '@/api/export-orders'
import type { OrderFilter } from '@/api/orders'
import { Failed } from '@/forms/failed'
import { saveFile } from '@/lib/download'
import { Button } from '@/ui/button'
import { showToast } from '@/ui/toast'

interface ExportOrdersProps {
  /** The filter whose results are exported, including pages that are not loaded. */
  readonly filter: OrderFilter
  /** Whether the filter finds nothing. */
  readonly nothing: boolean
}

/** Exports the result of the filter as a spreadsheet. */
export function ExportOrders({ filter, nothing }: ExportOrdersProps) {
  const { t } = useLingui()
  const download = useMutation({
    mutationFn: exportOrders,
    onSuccess: ({ bytes, fileName }) => {
      saveFile(bytes, fileName)
      showToast({ text: t`Таблицю збережено: ${fileName}` })
    },
  })
  // The failure may belong to another filter.
  const failure = JSON.stringify(download.variables) === JSON.stringify(filter) ? download.error : null
  return (
    <>
      <Button
        size="small"
        icon="download"
        loading={download.isPending}
        disabledReason={nothing ? t`Немає чого експортувати` : null}
        onClick={() => download.mutate(filter)}
      >
        <Trans>Експортувати в таблицю</Trans>
      </Button>
      <Failed failure={failure} className="basis-full" title={<Trans>Таблицю не завантажено</Trans>} />
    </>
  )
}
