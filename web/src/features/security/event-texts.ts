/** The words for the security events. */
import type { I18n, MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { SecurityEvent, SecurityEventKind } from '@/api/security'
import { civilDate } from '@/lib/dates'
import type { IconName } from '@/ui/icons'

interface Look {
  readonly title: MessageDescriptor
  readonly icon: IconName
}

const looks: Record<SecurityEventKind, Look> = {
  signed_up: { icon: 'person', title: msg`Реєстрацію завершено` },
  signed_in: { icon: 'person', title: msg`Здійснено вхід` },
  new_device: { icon: 'alert', title: msg`Вхід із нового пристрою` },
  entry_failed: { icon: 'alert', title: msg`Неправильний код під час входу` },
  signed_out: { icon: 'leave', title: msg`Вихід із кабінету` },
  sessions_ended: { icon: 'leave', title: msg`Завершено сеанси` },
  passkey_added: { icon: 'check', title: msg`Додано ключ доступу` },
  passkey_removed: { icon: 'trash', title: msg`Видалено ключ доступу` },
  card_figures_changed: { icon: 'card', title: msg`Змінено суми для збережених карток` },
  profile_changed: { icon: 'sheet', title: msg`Змінено картку нотаріуса` },
  change_confirmed: { icon: 'check', title: msg`Дію підтверджено` },
  confirmation_failed: { icon: 'alert', title: msg`Неправильний код підтвердження` },
  orders_exported: { icon: 'download', title: msg`Завантажено таблицю платежів` },
  recipient_saved: { icon: 'sheet', title: msg`Збережено отримувача в довіднику` },
  recipient_deleted: { icon: 'sheet', title: msg`Видалено отримувача з довідника` },
  saved_card_deleted: { icon: 'card', title: msg`Видалено збережену картку` },
  saved_card_restored: { icon: 'card', title: msg`Повернено видалену картку` },
  saved_card_forgotten: { icon: 'card', title: msg`Дані видаленої картки видалив і банк` },
  notary_confirmed: { icon: 'check', title: msg`Обліковий запис підтверджено` },
  notary_refused: { icon: 'alert', title: msg`Реєстрацію відхилено` },
  notary_blocked: { icon: 'alert', title: msg`Обліковий запис заблоковано` },
  notary_unblocked: { icon: 'check', title: msg`Обліковий запис розблоковано` },
  notary_status_changed: { icon: 'person', title: msg`Змінено статус нотаріуса` },
  login_step_changed: { icon: 'phone', title: msg`Змінено спосіб входу` },
  payment_flow_changed: { icon: 'card', title: msg`Змінено спосіб оплати` },
}

/** How a login went on, in place of the general title. */
const stepTitles: Partial<Record<SecurityEventKind, Readonly<Record<string, MessageDescriptor>>>> = {
  signed_in: {
    otp: msg`Вхід за кодом із SMS`,
    phone_call: msg`Вхід за дзвінком`,
    custom: msg`Вхід за ідентифікатором у реєстрі`,
    passkey: msg`Вхід із ключем доступу`,
  },
  entry_failed: {
    phone_call: msg`Дзвінок для входу не підтверджено`,
    custom: msg`Неправильний ідентифікатор під час входу`,
    passkey: msg`Ключ доступу відхилено: можливо, є його копія`,
  },
  change_confirmed: {
    otp: msg`Дію підтверджено кодом із SMS`,
    phone_call: msg`Дію підтверджено дзвінком`,
    passkey: msg`Дію підтверджено ключем доступу`,
  },
  confirmation_failed: {
    phone_call: msg`Дзвінок для підтвердження дії не підтверджено`,
    passkey: msg`Ключ доступу відхилено: можливо, є його копія`,
  },
}

const steps: Readonly<Record<string, MessageDescriptor>> = {
  otp: msg`код із SMS`,
  phone_call: msg`дзвінок`,
  custom: msg`ідентифікатор у реєстрі`,
  passkey: msg`ключ доступу`,
}

/** The fields that are named under the title. What a title says already is not. */
const labels: Readonly<Record<string, MessageDescriptor>> = {
  full_name: msg`Прізвище, ім’я, по батькові`,
  registry_identifier: msg`Ідентифікатор у реєстрі`,
  inn: msg`РНОКПП`,
  certificate_number: msg`Номер свідоцтва`,
  phone: msg`Номер телефону`,
  phone_additional: msg`Додатковий телефон`,
  email: msg`Електронна пошта`,
  notary_address: msg`Адреса робочого місця`,
  card_pan: msg`Номер картки`,
  iban: msg`Рахунок IBAN`,
  okpo: msg`Код власника рахунку`,
  exemption_date_finish: msg`Пільга діє до`,
  login_step: msg`Спосіб входу`,
  sessions: msg`Сеансів`,
  browser: msg`Браузер завершеного сеансу`,
  payments: msg`Платежів`,
  card: msg`Картка`,
  daily_unproved_max: msg`Без підтвердження за добу`,
  told_from: msg`Повідомляти про оплату від`,
}

/** Why a session ended, in place of the general title. */
const reasonTitles: Readonly<Record<string, MessageDescriptor>> = {
  token_replayed: msg`Сеанс завершено: його ключ використано повторно`,
  replaced_by_login: msg`Сеанс завершено новим входом у тому самому браузері`,
}

const none = msg`немає`

/** Stands for a value of which nothing is kept. */
const HIDDEN = '•••'

const valueOf = (event: SecurityEvent, field: string) =>
  event.changes.find((change) => change.field === field)?.to ?? null

/** Whether the notary should look twice at it. */
export const isUnusual = (event: SecurityEvent) => iconOf(event) === 'alert'

export function iconOf(event: SecurityEvent): IconName {
  const reason = valueOf(event, 'reason')
  // Somebody else has signed in, or begun to sign up, in the notary's browser.
  const isOthers = reason === 'replaced_by_login' && event.actor !== 'you'
  return reason === 'token_replayed' || isOthers ? 'alert' : looks[event.kind].icon
}

export function titleOf(event: SecurityEvent): MessageDescriptor {
  const [reason, step] = [valueOf(event, 'reason'), valueOf(event, 'login_step')]
  const special = reason === null ? undefined : reasonTitles[reason]
  const stepTitle = step === null ? undefined : stepTitles[event.kind]?.[step]
  return special ?? stepTitle ?? looks[event.kind].title
}

/** Who did it; null for the notary. */
export function actorOf({ actor }: SecurityEvent): MessageDescriptor | null {
  const actors = {
    you: null,
    stranger: msg`хтось, хто не ввійшов до кабінету`,
    support: msg`служба підтримки`,
    cabinet: msg`кабінет`,
  } as const
  return actors[actor]
}

/** The changes that are named under the title, as `Рахунок IBAN: UA21•••6001 → UA22•••7890`. */
export function changesOf(event: SecurityEvent, language: I18n): readonly string[] {
  return event.changes.flatMap(({ field, from, to }) => {
    const label = labels[field]
    if (label === undefined || isInTitle(event, field, to)) return []
    const name = language._(label)
    // Nothing is kept of either value.
    if ([from, to].every((value) => value === null || value === HIDDEN)) return [name]
    const shown = (value: string | null) => valueText(field, value, language)
    return [from === null ? `${name}: ${shown(to)}` : `${name}: ${shown(from)} → ${shown(to)}`]
  })
}

function valueText(field: string, value: string | null, language: I18n): string {
  if (value === null) return language._(none)
  if (field === 'exemption_date_finish') return civilDate(value)
  const step = field === 'login_step' ? steps[value] : undefined
  return step === undefined ? value : language._(step)
}

function isInTitle(event: SecurityEvent, field: string, to: string | null): boolean {
  if (field === 'login_step') return event.kind !== 'login_step_changed' && event.kind !== 'new_device'
  return field === 'sessions' && to === '1'
}
