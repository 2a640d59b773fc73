import { session } from '@/api/session'
import { phoneStart } from '@/ui/phone-format'

let typed = phoneStart

/** The number typed last, so that a way back, or on to the sign-up, does not ask for it again. Memory only. */
export const typedPhone = {
  get: () => typed,
  keep: (phone: string) => {
    typed = phone
  },
  forget: () => {
    typed = phoneStart
  },
}

// Whoever logs in here next may be somebody else, also where the login went on in another tab.
session.subscribe(({ status }, end) => {
  if (status === 'signed-in' || end === 'signed-out') typedPhone.forget()
})
