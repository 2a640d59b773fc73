import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { Suspense } from 'react'

import { mayTakeMoney, takesCodes } from '@/api/payment-state'
import { useOrderFile } from '@/api/use-order-file'
import { Failed } from '@/forms/failed'
import { later } from '@/lib/later'
import type { FiledOrder } from '@/lib/order-file'
import { Button } from '@/ui/button'
import { Folds } from '@/ui/folds'

import { ActPart } from './act-part'
import { CancelPart } from './cancel-part'
import { CodesPart } from './codes-part'
import { CodesPaymentPart } from './codes-payment-part'
import { isRepeatable, RepeatPart } from './repeat-part'

const ClientLink = later(async () => (await import('@/forms/client-link/load')).loadClientLink())

/** What belongs to the notarial file of an order, and the QR codes of an unpaid one. */
export function OrderFile({ order }: { readonly order: FiledOrder }) {
  const { id } = order
  const { owner, calls } = useOrderFile(id)
  const hasTransfers = order.paid_by === 'card' || order.returned.length > 0
  return (
    <div className="mt-4 flex flex-col">
      <ActPart id={id} owner={owner} act={order.act} save={(act) => calls.saveAct(id, act)}>
        {order.status === 'paid' && (
          <div>
            <Button
              icon="sheet"
              loading={calls.running.has('extract')}
              onClick={() => calls.download('extract')}
            >
              <Trans>Відомості про сплату для справ (PDF)</Trans>
            </Button>
          </div>
        )}
      </ActPart>
      {order.of_deal && (
        <div className="flex min-h-11 items-center border-t border-rule pt-1 print:hidden">
          <Button icon="sheet" loading={calls.running.has('deal')} onClick={() => calls.download('deal')}>
            <Trans>Розрахунок платежів за нотаріальною дією (PDF)</Trans>
          </Button>
        </div>
      )}
      {takesCodes(order) && (
        <CodesPart
          orderId={id}
          givenAt={order.codes_given_at}
          isPageOpen={mayTakeMoney(order)}
          load={() => calls.loadCodes(id)}
          download={() => calls.download('codes')}
          downloading={calls.running.has('codes')}
        />
      )}
      <CodesPaymentPart order={order} />
      <Suspense fallback={takesCodes(order) || order.status === 'paid' ? <Folds count={1} /> : null}>
        <ClientLink order={order} />
      </Suspense>
      <CancelPart order={order} />
      {(hasTransfers || isRepeatable(order)) && (
        <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-6 gap-y-2 border-t border-rule pt-1 print:hidden">
          {hasTransfers && (
            <Link to="/order/$id/transfers" params={{ id }} className="link">
              <Trans>Перекази замовлення</Trans>
            </Link>
          )}
          {isRepeatable(order) && <RepeatPart order={order} />}
        </div>
      )}
      <Failed failure={calls.failure} title={<Trans>Документ не завантажено</Trans>} />
    </div>
  )
}
