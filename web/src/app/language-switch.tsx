import { useLingui } from '@lingui/react/macro'
import { useRouter } from '@tanstack/react-router'
import { switchLocale } from '@/i18n/i18n'
import { failureText } from '@/i18n/message-texts'
import type { Locale } from '@/lib/locale'
import { cx } from '@/ui/cx'
import { showToast } from '@/ui/toast'

const languages: readonly { readonly locale: Locale; readonly short: string; readonly name: string }[] = [
  { locale: 'uk', short: 'Укр', name: 'Українська' },
  { locale: 'en', short: 'Eng', name: 'English' },
]

function tell(failure: unknown) {
  showToast({ tone: 'error', text: failureText(failure), lasts: 8000 })
}

/** Укр / Eng: both to be seen, the one in force marked. */
export function LanguageSwitch() {
  const { i18n, t } = useLingui()
  const router = useRouter()
  return (
    <div role="group" aria-label={t`Мова`} className="flex items-center text-sm">
      {languages.map(({ locale, short, name }, index) => (
        <span key={locale} className="flex items-center">
          {index > 0 && (
            <span aria-hidden="true" className="text-edge">
              /
            </span>
          )}
          <button
            type="button"
            lang={locale}
            aria-label={`${short}, ${name}`}
            aria-pressed={i18n.locale === locale}
            onClick={() => {
              // Loaded data is in the old language, so it is loaded again.
              switchLocale(locale).then(() => router.invalidate(), tell)
            }}
            className={cx(
              'min-h-11 min-w-11 rounded-sm px-1.5 hover:text-ink',
              i18n.locale === locale ? 'font-semibold text-ink' : 'text-ink-soft',
            )}
          >
            {short}
          </button>
        </span>
      ))}
    </div>
  )
}
