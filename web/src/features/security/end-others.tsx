import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { queryClient } from '@/api/query-client'
import { endOtherSessions, securityKey } from '@/api/security'
import { FailedLine } from '@/forms/failed'
import { Button } from '@/ui/button'
import { Dialog } from '@/ui/dialog'
import { announce } from '@/ui/live-region'

/** Ends all other sessions, after a question. */
export function EndOthers({ onEnded }: { readonly onEnded: () => void }) {
  const { t } = useLingui()
  const [asking, setAsking] = useState(false)
  const end = useMutation({
    mutationFn: endOtherSessions,
    onSuccess: async (count) => {
      setAsking(false)
      onEnded()
      announce(t`Завершено сеансів: ${count}`)
      await queryClient.invalidateQueries({ queryKey: securityKey })
    },
  })

  function ask() {
    end.reset()
    setAsking(true)
  }

  return (
    <>
      <p>
        <Button variant="danger" onClick={ask}>
          <Trans>Завершити всі інші сеанси</Trans>
        </Button>
      </p>
      <Dialog
        open={asking}
        onClose={() => setAsking(false)}
        closable={!end.isPending}
        title={t`Завершити всі інші сеанси?`}
        actions={
          <>
            <Button variant="danger" loading={end.isPending} onClick={() => end.mutate()}>
              <Trans>Завершити</Trans>
            </Button>
            <Button onClick={() => !end.isPending && setAsking(false)}>
              <Trans>Скасувати</Trans>
            </Button>
          </>
        }
      >
        <p>
          <Trans>
            На інших пристроях доведеться ввійти знову, і про кожен такий вхід ми вас повідомимо. Цей сеанс
            залишиться відкритим.
          </Trans>
        </p>
        <FailedLine failure={end.error} />
      </Dialog>
    </>
  )
}
