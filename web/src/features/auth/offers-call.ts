import { ServerFailure } from '@/api/failure'

/** Whether a failure offers a call in the place of the code that was not sent. */
export function offersCall(failure: unknown): boolean {
  return failure instanceof ServerFailure && failure.callOffered
}
