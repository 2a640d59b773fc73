/** The tables of cases that the server's tests also read: both sides must give the same answers. */
import { describe, expect, it } from 'vitest'

import cardTable from '../../../testdata/card.json'
import commissionTable from '../../../testdata/commission.json'
import ibanTable from '../../../testdata/iban.json'
import innTable from '../../../testdata/inn.json'
import moneyTypedTable from '../../../testdata/money-typed.json'
import okpoTable from '../../../testdata/okpo.json'
import ownAccountTable from '../../../testdata/own-account.json'
import personNameTable from '../../../testdata/person-name.json'
import pairsTable from '../../../testdata/pairs.json'
import phoneTable from '../../../testdata/phone.json'
import purposeTable from '../../../testdata/purpose.json'
import registerNumberTable from '../../../testdata/register-number.json'
import { hasWrongCheckDigit, parseClientCode } from './client-code'
import { priceOf, type PaymentKind } from './commission'
import {
  balanceCode,
  bankCode,
  breaksBalanceCodeRule,
  hasCyrillicCountryLetter,
  isBudgetAccount,
  isTreasury,
  parseIban,
} from './iban'
import { kopiykas, MONEY_MAX, times } from './money'
import { parseMoney, readTypedSum } from './money-typed'
import { okpoHasWrongCheckDigit, parseOkpo } from './okpo'
import { isForeignCode, ownAccountError } from './own-account'
import { parseRecipientCode, takesBudgetCode } from './pairs'
import { namesPaymentCard } from './payment-card'
import { parsePersonName } from './line'
import { mendName } from './person-name'
import { maskedPhone, parsePhone } from './phone'
import { parsePurpose } from './purpose'
import { parseRegisterNumber } from './register-number'
import { compact, plainLine } from './text'

const hint = (wrong: boolean) => (wrong ? 'wrong_check_digit' : null)

describe('the name of a person', () => {
  it.each(personNameTable.cases)('$name', ({ input, expect: expected }) => {
    const read = parsePersonName(input, 'full_name_required')
    const { typed, name } = mendName(input)
    expect(read.ok ? { name, changed: name !== typed } : { error: read.error }).toEqual(expected)
    expect(mendName(name).name).toBe(name)
  })
})

describe('the client’s code', () => {
  it.each(innTable.cases)('$name', ({ input, expect: expected }) => {
    const read = parseClientCode(input)
    expect(
      read.ok
        ? {
            inn: read.value.code,
            kind: read.value.kind,
            latin_letters_replaced: read.value.latinReplaced,
            hint: hint(hasWrongCheckDigit(read.value)),
          }
        : { error: read.error },
    ).toEqual(expected)
  })
})

describe('a number in the register of notarial acts', () => {
  it.each(registerNumberTable.cases)('$name', ({ input: { text, ...rule }, expect: expected }) => {
    const read = parseRegisterNumber(text, rule)
    expect(read.ok ? { number: read.value } : { error: read.error }).toEqual(expected)
  })
})

describe('a card in a free text', () => {
  it.each(cardTable.cases)('$name', ({ input, expect: expected }) => {
    expect(namesPaymentCard(input)).toBe(expected)
  })
})

describe('the recipient’s code', () => {
  it.each(okpoTable.cases)('$name', ({ input, expect: expected }) => {
    const read = parseOkpo(input)
    expect(
      read.ok
        ? {
            okpo: read.value,
            person: read.value.length === 10,
            hint: hint(okpoHasWrongCheckDigit(read.value)),
          }
        : { error: read.error },
    ).toEqual(expected)
  })
})

describe('the account', () => {
  const cases: readonly { name: string; input: { iban: string; okpo?: string }; expect: unknown }[] =
    ibanTable.cases
  it.each(cases)('$name', ({ input: { iban, okpo }, expect: expected }) => {
    const read = parseIban(iban)
    const broken = read.ok && okpo !== undefined && breaksBalanceCodeRule(read.value, compact(okpo))
    const found = read.ok
      ? {
          iban: read.value,
          bank_code: bankCode(read.value),
          treasury: isTreasury(read.value),
          fifth_is_8: isBudgetAccount(read.value),
          balance_code: balanceCode(read.value),
          cyrillic_letter_replaced: hasCyrillicCountryLetter(iban),
        }
      : { error: read.error }
    expect(broken ? { error: 'iban_balance_code_by_okpo_rule' } : found).toEqual(expected)
  })
})

describe('the purpose', () => {
  interface Case {
    name: string
    input: { purpose: string; iban: string; client_inn: string; notary_inn?: string }
    expect: unknown
  }
  const cases: readonly Case[] = purposeTable.cases
  it.each(cases)('$name', ({ input, expect: expected }) => {
    const payerCodes = [input.client_inn, input.notary_inn ?? '']
    const { purpose, iban } = input
    const read = parsePurpose({ purpose, iban, payerCodes, paymentCodes: ['058', '101', '121'] })
    const found = read.ok
      ? { purpose: read.value, converted: read.value !== plainLine(purpose) }
      : { error: read.error }
    expect(found).toEqual(expected)
  })
})

describe('account and codes', () => {
  interface Case {
    name: string
    input: {
      known?: { iban: string; okpo: string; budget_codes: string[] }[]
      iban: string
      okpo: string
      cbc_code?: string
      recipient_name?: string
    }
    expect: unknown
  }
  const cases: readonly Case[] = pairsTable.cases
  const known = (cases[0]?.input.known ?? []).map(({ iban, okpo, budget_codes: budgetCodes }) => ({
    iban,
    okpo,
    budgetCodes,
  }))
  it.each(cases)('$name', ({ input, expect: expected }) => {
    const { iban, cbc_code: budgetCode, recipient_name: name = '' } = input
    const read = parseRecipientCode(input.okpo, iban, known)
    const fits =
      budgetCode === undefined ||
      !read.ok ||
      takesBudgetCode({ iban, okpo: read.value, name }, budgetCode, known)
    const found = read.ok ? { okpo: read.value } : { error: read.error }
    expect(fits ? found : { error: 'cbc_not_for_account' }).toEqual(expected)
  })
})

describe('the notary’s own account', () => {
  interface Case {
    name: string
    input: { iban: string; okpo: string; notary_inn?: string; notary_okpo?: string }
    expect: unknown
  }
  const cases: readonly Case[] = ownAccountTable.cases
  it.each(cases)('$name', ({ input, expect: expected }) => {
    const { iban, okpo, notary_inn: inn = '', notary_okpo: profile = '' } = input
    const foreign = isForeignCode(okpo, { inn, okpo: profile }) ? 'your_okpo_not_yours' : null
    const error = ownAccountError(iban, okpo) ?? foreign
    expect(error === null ? { iban, okpo } : { error }).toEqual(expected)
  })
})

describe('the price', () => {
  it.each(commissionTable.cases)('$name', ({ input, expect: expected }) => {
    const tariff = { basisPoints: input.tariff.basis_points, minimum: kopiykas(input.tariff.minimum) }
    // The table has only the four kinds of the API.
    const price = priceOf(input.kind as PaymentKind, kopiykas(input.amount), tariff)
    const sumTotal = price.ok ? times(price.value.sum, input.count) : null
    const found =
      price.ok && sumTotal !== null && sumTotal <= MONEY_MAX
        ? { ...price.value, sum_total: sumTotal }
        : { error: 'amount_invalid' }
    expect(found).toEqual(expected)
  })
})

describe('a typed sum', () => {
  it.each(moneyTypedTable.cases)('$name', ({ input, expect: expected }) => {
    const read = parseMoney(input)
    const kind = readTypedSum(input)?.slip === true ? 'slip' : 'kopiykas'
    expect(read.ok ? { [kind]: read.value } : { error: read.error }).toEqual(expected)
  })
})

describe('the phone', () => {
  it.each(phoneTable.cases)('$name', ({ input, expect: expected }) => {
    const read = parsePhone(input)
    expect(read.ok ? { phone: read.value, masked: maskedPhone(read.value) } : { error: read.error }).toEqual(
      expected,
    )
  })
})
