import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'

import { openDialog, useOpened } from './opened'
import { Palette } from './palette'
import { places } from './places'
import { areSingleKeysOn } from './setting'
import { ShortcutsHelp } from './shortcuts-help'

/** A letter chooses an answer among radio buttons. */
const FIELDS = 'textarea, select, [contenteditable], input:not([type=checkbox])'

/** Whether the keys belong to what has the focus: a field, a menu, or a dialog. Fields that are being saved have lost it. */
function isTaken(target: EventTarget | null): boolean {
  if (document.querySelector('dialog[open], fieldset:disabled') !== null) return true
  return target instanceof Element && target.closest(`${FIELDS}, [role=menu]`) !== null
}

const close = () => openDialog(null)

/** The keyboard shortcuts of the cabinet: the palette by Ctrl K or ⌘ K, single keys, and their help by "?". */
export function Keyboard() {
  const navigate = useNavigate()
  const opened = useOpened()
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || event.altKey) return
    if ((event.ctrlKey || event.metaKey) && !event.shiftKey && event.code === 'KeyK') {
      if (document.querySelector('dialog[open]') !== null) return
      event.preventDefault()
      openDialog('palette')
      return
    }
    if (event.ctrlKey || event.metaKey || isTaken(event.target) || !areSingleKeysOn()) return
    if (event.key === '?') openDialog('help')
    else if (event.key === '/') {
      const search = document.querySelector<HTMLElement>('#main [type=search]')
      if (search === null) return
      search.focus()
    } else {
      const place = event.shiftKey ? undefined : places.find(({ code }) => code === event.code)
      if (place === undefined) return
      void navigate({ to: place.to })
    }
    event.preventDefault()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event)
    document.addEventListener('keydown', listen)
    return () => {
      document.removeEventListener('keydown', listen)
      openDialog(null)
    }
  }, [])
  return (
    <>
      <Palette open={opened === 'palette'} onClose={close} onHelp={() => openDialog('help')} />
      <ShortcutsHelp open={opened === 'help'} onClose={close} />
    </>
  )
}
