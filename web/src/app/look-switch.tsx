import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { IconName } from '@/ui/icons'
import { Menu } from '@/ui/menu'
import { chooseLook, currentLook, type LookPart } from './look'

const THEME_ICONS: Readonly<Record<string, IconName>> = { light: 'sun', dark: 'moon' }

/** How the pages look: their colours, and how densely things stand. */
export function LookSwitch() {
  const { t } = useLingui()
  const [look, setLook] = useState(currentLook)
  const themes = { system: t`Як у системі`, light: t`Світла`, dark: t`Темна` }
  const densities = { system: t`Автоматично`, roomy: t`Просторо`, compact: t`Щільно` }
  const choices = (part: LookPart, group: string, labels: Readonly<Record<string, string>>) =>
    Object.entries(labels).map(([id, label]) => ({
      id: `${part} ${id}`,
      group,
      label,
      checked: id === look[part],
      onSelect: () => {
        chooseLook(part, id)
        setLook(currentLook())
      },
    }))
  return (
    <Menu
      align="end"
      icon={THEME_ICONS[look.theme] ?? 'system'}
      label={<span className="sr-only">{t`Вигляд`}</span>}
      accessibleLabel={t`Вигляд`}
      buttonClassName="inline-flex min-h-11 w-14 items-center justify-center gap-1 rounded-md text-ink-soft hover:bg-inset hover:text-ink"
      items={[...choices('theme', t`Тема`, themes), ...choices('density', t`Щільність`, densities)]}
    />
  )
}
