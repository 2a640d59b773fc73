import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'

import { failureText } from '@/i18n/message-texts'
import { Button, buttonClass } from '@/ui/button'
import { Notice } from '@/ui/notice'

import type { Deal } from './use-deal'

/** A press had no answer. A deal that was changed since is another one to the server, so it would be added beside the first. */
export function Unanswered({ deal: { form, unanswered } }: { readonly deal: Deal }) {
  const { i18n } = useLingui()
  const isOther = unanswered === 'other'
  return (
    <Notice
      tone="error"
      title={<Trans>Невідомо, чи додано платежі</Trans>}
      actions={
        isOther && (
          <>
            <Link to="/cart" className={buttonClass({ size: 'small' })}>
              <Trans>Відкрити кошик</Trans>
            </Link>
            <Button
              size="small"
              onClick={({ currentTarget }) => {
                // The pressed button disappears, so the main one takes the focus.
                currentTarget.form?.querySelector<HTMLElement>('[type=submit]')?.focus()
                currentTarget.form?.requestSubmit()
              }}
            >
              <Trans>Додати ще раз</Trans>
            </Button>
          </>
        )
      }
    >
      {isOther ? (
        <Trans>
          Відтоді розрахунок змінено, тож його платежі можуть потрапити до кошика двічі. Перевірте кошик, перш
          ніж додавати ще раз.
        </Trans>
      ) : (
        <>
          {form.failure !== null && `${failureText(form.failure, i18n)}. `}
          <Trans>Жоден платіж не додасться двічі, якщо натиснути кнопку ще раз.</Trans>
        </>
      )}
    </Notice>
  )
}
