import { useLingui } from '@lingui/react/macro'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { switchLocale } from '@/i18n/i18n'
import { failureText } from '@/i18n/message-texts'
import type { Locale } from '@/lib/locale'
import { cx } from '@/ui/cx'
import type { IconName } from '@/ui/icons'
import { Menu } from '@/ui/menu'
import { showToast } from '@/ui/toast'
import { chooseTheme, currentTheme, type Theme } from './theme'

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

/** The colours of the page. */
export function ThemeSwitch() {
  const { t } = useLingui()
  const [theme, setTheme] = useState(currentTheme)
  const themes: readonly { readonly id: Theme; readonly label: string; readonly icon: IconName }[] = [
    { id: 'system', label: t`Як у системі`, icon: 'system' },
    { id: 'light', label: t`Світла`, icon: 'sun' },
    { id: 'dark', label: t`Темна`, icon: 'moon' },
  ]
  return (
    <Menu
      align="end"
      icon={themes.find(({ id }) => id === theme)?.icon ?? 'system'}
      label={<span className="sr-only">{t`Тема`}</span>}
      accessibleLabel={t`Тема`}
      buttonClassName="inline-flex min-h-11 min-w-11 items-center justify-center gap-1 rounded-md px-2 text-ink-soft hover:bg-inset hover:text-ink"
      items={themes.map(({ id, label, icon }) => ({
        id,
        label,
        icon,
        checked: id === theme,
        onSelect: () => {
          chooseTheme(id)
          setTheme(id)
        },
      }))}
    />
  )
}
