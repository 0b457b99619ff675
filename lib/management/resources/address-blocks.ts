// Addresses that are blocked because too many logins from them failed, over all accounts.
import { isIP } from 'node:net'
import type { AttemptGuard } from '../../data/users/attempts'
import { invalidRequest, notFound } from '../../kernel/errors'
import { emptyAnswer, operationsWith } from '../operations/operation'

export type AddressBlockDeps = { attempts: Pick<AttemptGuard, 'isBlocked' | 'unblockAddress'> }

const operation = operationsWith<AddressBlockDeps>()

function addressIn({ id = '' }: Readonly<Record<string, string>>): string {
  if (isIP(id) === 0) throw invalidRequest('The id is no IP address', { members: { errorCode: 'invalid_uri' } })
  return id
}

export const addressBlocks = {
  blockedIpsRead: operation({
    name: 'anomaly.blocked_ips.read',
    method: 'GET',
    path: '/anomaly/blocks/ips/:id',
    summary: 'Tell whether an IP address is blocked',
    scopes: ['read:anomaly_blocks'],
    status: 200,
    answer: emptyAnswer,
    async handle({ params, deps }) {
      if (await deps.attempts.isBlocked(addressIn(params))) return { body: {} }
      throw notFound('The IP address is not blocked', { members: { errorCode: 'inexistent_block' } })
    },
  }),
  blockedIpsDelete: operation({
    name: 'anomaly.blocked_ips.delete',
    console: true,
    method: 'DELETE',
    path: '/anomaly/blocks/ips/:id',
    summary: 'Lift the block of an IP address',
    scopes: ['delete:anomaly_blocks'],
    target: 'tenant',
    status: 204,
    async handle({ params, deps }) {
      await deps.attempts.unblockAddress(addressIn(params))
      return {}
    },
  }),
}
