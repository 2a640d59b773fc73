import type { QueryClient } from '@tanstack/react-query'

import { userQuery } from '@/api/user'

/** Whether the notary who sent a form is still on this page: another one may have signed in while the answer was on its way. */
export const isStillSignedIn = (queryClient: QueryClient, notaryId: string): boolean =>
  queryClient.getQueryData(userQuery().queryKey)?.id === notaryId
