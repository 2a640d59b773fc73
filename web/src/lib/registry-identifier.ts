import { err, ok, type Result } from './result'

/** Parses a notary's identifier in the register. The server checks its form. */
export function parseRegistryIdentifier(text: string): Result<string, 'registry_identifier_required'> {
  const identifier = text.trim()
  return identifier === '' ? err('registry_identifier_required') : ok(identifier)
}
