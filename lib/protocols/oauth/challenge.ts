// What a refusal of a protected API of this server says beyond its error.
import { bearerChallenge } from '../../http/render-errors'
import { DomainError } from '../../kernel/errors'

/** Where the metadata of a protected resource is (RFC 9728 3.1): the well-known part comes between host and path. */
export const METADATA_PATH = '/.well-known/oauth-protected-resource'

/** Runs a check of the caller; its refusals name the metadata of the API, from which a client finds this server (RFC 9728 5.1). */
export async function challenging<T>(audience: string, check: () => Promise<T>): Promise<T> {
  try {
    return await check()
  } catch (error) {
    if (error instanceof DomainError && NAMES_METADATA.has(error.code) && !hasChallenge(error)) {
      const { origin, pathname } = new URL(audience)
      error.headers.push(bearerChallenge(error, { resource_metadata: `${origin}${METADATA_PATH}${pathname}` }))
    }
    throw error
  }
}

const NAMES_METADATA: ReadonlySet<string> = new Set(['invalid_token', 'insufficient_scope'])

const hasChallenge = ({ headers }: DomainError): boolean => headers.some(([name]) => name === 'www-authenticate')

/** The login that a client must ask for, as parameters of its next authorization request (RFC 9470 3). */
export function stepUp(description: string, login: { max_age: string } | { acr_values: string }): DomainError {
  const code = 'insufficient_user_authentication'
  return new DomainError(code, description, { headers: [bearerChallenge({ code, description }, login)] })
}
