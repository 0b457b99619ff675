// Looks up TXT records at the resolvers of the machine. Only they are asked: no address in an answer is ever connected to.
import { Resolver } from 'node:dns/promises'
import { type TextLookup, TextLookupError } from '../../kernel/domain'

const PATIENCE_MS = 2_000
const TRIES = 2

/** `servers` replace those of the machine. */
export function createTextLookup(servers?: readonly string[]): TextLookup {
  return async (name) => {
    const resolver = new Resolver({ timeout: PATIENCE_MS, tries: TRIES })
    if (servers) resolver.setServers(servers)
    const timer = setTimeout(() => resolver.cancel(), PATIENCE_MS * TRIES)
    try {
      return (await resolver.resolveTxt(name)).map((parts) => parts.join(''))
    } catch (error) {
      throw new TextLookupError(reasonOf(error), error)
    } finally {
      clearTimeout(timer)
    }
  }
}

const reasonOf = (error: unknown): string | null => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'EUNKNOWN'
  return code === 'ENOTFOUND' || code === 'ENODATA' ? null : code
}
