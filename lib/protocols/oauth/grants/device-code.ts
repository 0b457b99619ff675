// grant_type=urn:ietf:params:oauth:grant-type:device_code (RFC 8628 3.4, 3.5): the device polls for the decision.
// - Unknown, foreign, used and expired codes have one answer, except that the first poll after expiry gets `expired_token`.
// - Early polls lengthen the interval. They never change the outcome: a decision is delivered with any poll.
// - Redemption creates the token family: one of any number of parallel polls wins.

import { apiOf, checkTarget } from '../../../data/apis/audience'
import { loginOfFamily } from '../../../data/audit/login-id'
import type { Client } from '../../../data/clients/client'
import { resource, text } from '../../../http/description'
import { APP } from '../../../http/examples'
import { accessDenied, DomainError, invalidGrant, missingParameter } from '../../../kernel/errors'
import { digest } from '../../../kernel/secret'
import { newFamily } from '../../../tokens/birth'
import type { ApprovedDevice, PolledDevice } from '../../../tokens/device-authorization'
import type { Grant, GrantDeps } from './grant'

const BAD_CODE = 'Invalid or expired device code.'

export const deviceCode: Grant = {
  type: 'urn:ietf:params:oauth:grant-type:device_code',
  events: { done: 'device_exchanged', refused: 'device_exchange_refused' },
  describe: () => ({
    parameters: { device_code: text('The code that the device polls with'), resource: resource() },
    example: { ...APP, device_code: '<device code>' },
  }),
  async authorize(parameters, client, deps) {
    if (parameters.device_code === undefined) throw missingParameter('device_code')
    const polled = await deps.devices.poll(digest(parameters.device_code), client.clientId, deps.clock.now())
    if (!polled) throw invalidGrant(BAD_CODE, { reason: 'device_code_invalid' })
    deps.trail.follow(loginOfFamily(polled.familyId))
    if (polled.expired) throw new DomainError('expired_token', 'The device code has expired.')
    if (polled.status === 'denied')
      throw accessDenied('User cancelled the confirmation prompt.', { reason: 'device_denied' })
    if (polled.status === 'pending') throw pending(polled)
    await checkTarget(parameters, polled.audience, deps)
    return redeem(polled, client, deps)
  },
}

function pending({ early, intervalSeconds }: PolledDevice): DomainError {
  if (!early) return new DomainError('authorization_pending', 'User has yet to authorize device code.')
  const description = `You are polling faster than the specified interval of ${intervalSeconds} seconds.`
  return new DomainError('slow_down', description)
}

async function redeem(approved: ApprovedDevice, client: Client, deps: GrantDeps) {
  const { familyId: id, userId, scopes, audience, sid, authentication, decidedAt } = approved
  const api = await apiOf(audience, client, deps)
  const now = deps.clock.now()
  const family = newFamily({ id, userId, scopes, audience, sid, authentication, gty: null }, client, now)
  if (family.expiresAt <= now)
    throw invalidGrant(BAD_CODE, { reason: 'session_ended', detail: "the person's session has ended" })
  const user = await deps.families.redeem(family, { issuedAt: decidedAt, at: now })
  if (!user) throw used()
  deps.trail.context({ user })
  if (user.blocked) throw invalidGrant('user is blocked', { reason: 'user_blocked' })
  const protocol = 'oauth2-device-code'
  return { client, user, api, family, scopes, nonce: null, refreshGeneration: family.generation, protocol }
}

const used = (): DomainError =>
  invalidGrant(BAD_CODE, {
    reason: 'device_code_invalid',
    detail: 'used, or its user was signed out everywhere since',
  })
