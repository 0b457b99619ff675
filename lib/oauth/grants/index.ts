// Every grant there is. Adding one is a file and a line.
import type { Client } from '../../clients/client'
import { DomainError, missingParameter } from '../../kernel/errors'
import { authorizationCode } from './authorization-code'
import type { Grant } from './grant'
import { refreshToken } from './refresh-token'

const GRANTS: readonly Grant[] = [authorizationCode, refreshToken]

export const GRANT_TYPES: readonly string[] = GRANTS.map((grant) => grant.type)

export function grantFor(type: string | undefined, client: Client): Grant {
  if (type === undefined) throw missingParameter('grant_type')
  const grant = GRANTS.find((candidate) => candidate.type === type)
  if (!grant) throw new DomainError('unsupported_grant_type', `Unsupported grant type: ${printable(type)}`)
  if (!client.grantTypes.has(type)) {
    throw new DomainError('unauthorized_client', `Grant type '${type}' not allowed for the client.`)
  }
  return grant
}

const printable = (value: string): string => value.replace(/[^\x21-\x7e]/g, '?').slice(0, 200)
