/** The query keys of the address book. In a file of their own, so that a page that invalidates them loads no search. */
export const bookKey = {
  all: ['book'],
  clients: ['book', 'clients'],
  recipients: ['book', 'recipients'],
} as const
