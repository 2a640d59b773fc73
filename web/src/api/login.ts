/** Login, sign-up and logout. */
import { api } from './client'
import type { components } from './schema'

type Schemas = components['schemas']

export type LoginRequest = Schemas['LoginRequest']
export type LoginStarted = Schemas['LoginStarted']
export type SignUpStarted = Schemas['SignUpStarted']

/** Starts a login. The answer contains the next step. */
export const startLogin = (body: LoginRequest) => api.POST('/auth/login', { body })

/** Finishes a login with the code from a message. */
export const verifyLoginCode = (body: Schemas['LoginCodeRequest']) => api.POST('/auth/login/otp', { body })

/** Finishes a login with the notary's registry identifier. */
export const verifyRegistryIdentifier = (body: Schemas['LoginCodeRequest']) =>
  api.POST('/auth/login/otp/custom', { body })

/** Finishes a login after the phone call was confirmed. */
export const verifyPhoneCall = (body: Schemas['PhoneCallVerifyRequest'], signal: AbortSignal) =>
  api.POST('/auth/login/phone-call/verify', { body, signal })

/** Makes an account; its phone is then verified with a code. */
export const startSignUp = (body: Schemas['SignUpRequest']) => api.POST('/auth/sign-up', { body })

/** Verifies the phone of a new account and signs the notary in. */
export const verifySignUp = (body: Schemas['SignUpVerifyRequest']) =>
  api.POST('/auth/sign-up/verify', { body })

/** Ends the session on the server. */
export const logOut = () => api.POST('/auth/logout')
