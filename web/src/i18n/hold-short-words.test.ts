import { setupI18n } from '@lingui/core'
import { expect, test } from 'vitest'
import { holdShortWords, holdShortWordsIn } from './hold-short-words'

test.each([
  ['паспорт – дві літери й 6 цифр', 'паспорт\u00A0– дві літери й\u00A06 цифр'],
  ['У кошику порожньо', 'У\u00A0кошику порожньо'],
  ['тарифу з ', 'тарифу з\u00A0'],
  ['і в архіві (у тому числі)', 'і\u00A0в\u00A0архіві (у\u00A0тому числі)'],
  ['60 % на рахунок', '60\u00A0% на рахунок'],
  [' % від ціни', '\u00A0% від ціни'],
  ['{rate} % від ціни', '{rate}\u00A0% від ціни'],
  ['адміністративний збір', 'адміністративний збір'],
])('%s', (text, set) => {
  expect(holdShortWords(text)).toBe(set)
})

test('all texts of a catalogue are changed, and no name of a placeholder', () => {
  const messages = holdShortWordsIn({
    plain: 'У кошику порожньо',
    sum: ['Сплатити ', ['sum'], ' – ', ['name']],
    tariff: ['тарифу з ', ['day']],
    // A placeholder whose name is a single letter is not changed.
    count: [['count', 'plural', { one: ['#', ' платіж у кошику'], other: ['#', ' платежів у кошику'] }]],
    share: [['у ', 'number', 'percent']],
  })
  expect(messages).toEqual({
    plain: 'У\u00A0кошику порожньо',
    sum: ['Сплатити ', ['sum'], '\u00A0– ', ['name']],
    tariff: ['тарифу з\u00A0', ['day']],
    count: [
      ['count', 'plural', { one: ['#', ' платіж у\u00A0кошику'], other: ['#', ' платежів у\u00A0кошику'] }],
    ],
    share: [['у ', 'number', 'percent']],
  })
  const i18n = setupI18n({ locale: 'uk', messages: { uk: messages } })
  expect(i18n._('count', { count: 5 })).toBe('5 платежів у\u00A0кошику')
})
