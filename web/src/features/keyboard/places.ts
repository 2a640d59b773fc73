import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'

/** The pages that the palette and the keys lead to. */
export interface Place {
  readonly to:
    | '/'
    | '/deal'
    | '/sheet'
    | '/cart'
    | '/archive'
    | '/reports'
    | '/me'
    | '/me/book'
    | '/me/user-cards'
    | '/me/security'
  readonly name: MessageDescriptor
  /** The key that leads there, as `KeyboardEvent.code`: the same in every layout. */
  readonly code?: `Key${string}`
}

export const places: readonly Place[] = [
  { to: '/', name: msg`Створити платіж`, code: 'KeyN' },
  { to: '/deal', name: msg`Розрахунок платежів`, code: 'KeyD' },
  { to: '/sheet', name: msg`Платежі з таблиці`, code: 'KeyT' },
  { to: '/cart', name: msg`Кошик`, code: 'KeyC' },
  { to: '/archive', name: msg`Архів`, code: 'KeyA' },
  { to: '/reports', name: msg`Звіти`, code: 'KeyR' },
  { to: '/me', name: msg`Картка нотаріуса`, code: 'KeyM' },
  { to: '/me/book', name: msg`Довідник` },
  { to: '/me/user-cards', name: msg`Мої картки` },
  { to: '/me/security', name: msg`Безпека` },
]

/** The letter of a code. */
export const letterOf = (code: string): string => code.slice(-1)
