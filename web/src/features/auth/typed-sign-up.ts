import { session } from '@/api/session'

interface TypedSignUp {
  readonly fullName: string
  readonly registryIdentifier: string
  readonly agreed: boolean
}

const nothing: TypedSignUp = { fullName: '', registryIdentifier: '', agreed: false }

let typed = nothing

/** What stands in the form of a sign-up beside the phone, for the way back from its code. Memory only. */
export const typedSignUp = {
  get: () => typed,
  keep: (part: Partial<TypedSignUp>) => {
    typed = { ...typed, ...part }
  },
  forget: () => {
    typed = nothing
  },
}

// Whoever signs up here next may be somebody else.
session.subscribe(({ status }, end) => {
  if (status === 'signed-in' || end === 'signed-out') typedSignUp.forget()
})
