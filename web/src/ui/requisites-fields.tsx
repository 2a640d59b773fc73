import { MaskedField, type MaskedFieldProps } from './masked-field'
import { codeMask, ibanMask } from './masks'

type Props = Omit<MaskedFieldProps, 'mask'>

const okpoMask = codeMask(10)
const budgetCodeMask = codeMask(8)

/** The code of whoever has the account: ЄДРПОУ or РНОКПП. */
export function OkpoField(props: Props) {
  return <MaskedField mask={okpoMask} inputMode="numeric" autoComplete="off" {...props} />
}

export function IbanField(props: Props) {
  return <MaskedField mask={ibanMask} long autoComplete="off" spellCheck={false} {...props} />
}

/** The code of a budget's income, which an account of the Treasury needs. */
export function BudgetCodeField(props: Props) {
  return <MaskedField mask={budgetCodeMask} inputMode="numeric" autoComplete="off" {...props} />
}
