import { Trans, useLingui } from '@lingui/react/macro'
import { useState, type ReactNode } from 'react'

import { Checkbox } from '@/ui/checkbox'
import { Dialog } from '@/ui/dialog'

import { letterOf, places } from './places'
import { areSingleKeysOn, switchSingleKeys } from './setting'

interface ShortcutsHelpProps {
  readonly open: boolean
  readonly onClose: () => void
}

/** All shortcuts, and the switch of those without Ctrl. */
export function ShortcutsHelp({ open, onClose }: ShortcutsHelpProps) {
  const { t } = useLingui()
  return (
    <Dialog open={open} onClose={onClose} title={t`Комбінації клавіш`}>
      <Shortcuts />
    </Dialog>
  )
}

function Shortcuts() {
  const { i18n } = useLingui()
  const [on, setOn] = useState(areSingleKeysOn)
  return (
    <>
      <dl className="flex flex-col">
        <Shortcut keys={<Key>Ctrl K</Key>}>
          <Trans>Знайти сторінку або замовлення (⌘ K на Mac)</Trans>
        </Shortcut>
        {places.map(
          ({ to, code, name }) =>
            code !== undefined && (
              <Shortcut key={to} keys={<Key>{letterOf(code)}</Key>}>
                {i18n._(name)}
              </Shortcut>
            ),
        )}
        <Shortcut keys={<Key>Ctrl Enter</Key>}>
          <Trans>Додати платіж і перейти до наступного клієнта</Trans>
        </Shortcut>
        <Shortcut keys={<Key>Ctrl Shift Enter</Key>}>
          <Trans>Додати платіж і сплатити його</Trans>
        </Shortcut>
        <Shortcut keys={<Key>/</Key>}>
          <Trans>Пошук в архіві</Trans>
        </Shortcut>
        <Shortcut keys={<Key>Shift</Key>}>
          <Trans>Утримуйте, щоб вибрати в архіві всі замовлення від попереднього вибраного</Trans>
        </Shortcut>
        <Shortcut keys={<Key>?</Key>}>
          <Trans>Ця довідка</Trans>
        </Shortcut>
      </dl>
      <Checkbox
        label={<Trans>Клавіші без Ctrl увімкнено</Trans>}
        hint={
          <Trans>
            У полях вони не діють ніколи. Розкладка значення не має: важливе місце літери на клавіатурі.
          </Trans>
        }
        checked={on}
        onChange={({ target }) => {
          switchSingleKeys(target.checked)
          setOn(target.checked)
        }}
      />
    </>
  )
}

function Shortcut({ keys, children }: { readonly keys: ReactNode; readonly children: ReactNode }) {
  return (
    <div className="flex items-baseline justify-between gap-4 border-b border-rule py-2 last:border-b-0">
      <dt>{children}</dt>
      <dd>{keys}</dd>
    </div>
  )
}

function Key({ children }: { readonly children: ReactNode }) {
  return (
    <kbd className="rounded-sm border border-edge bg-inset px-2 py-0.5 text-sm whitespace-nowrap">
      {children}
    </kbd>
  )
}
