// The device authorization request (RFC 8628 3.1, 3.2). A device may request what its client may request at the authorization
// endpoint.
import type { ApiPort } from '../../data/apis/api'
import { findAudience } from '../../data/apis/audience'
import { loginOfFamily } from '../../data/audit/login-id'
import type { Trail } from '../../data/audit/trail'
import type { Client } from '../../data/clients/client'
import type { TenantSettings } from '../../data/tenants/settings'
import { addSeconds, type Clock } from '../../kernel/clock'
import { temporarilyUnavailable } from '../../kernel/errors'
import type { Parameters } from '../../kernel/parameters'
import type { Random } from '../../kernel/random'
import { mint, type Vault } from '../../kernel/secret'
import {
  DEVICE_SECONDS,
  type DeviceAuthorization,
  type DevicePort,
  POLL_SECONDS,
} from '../../tokens/device-authorization'
import { mintUserCode, showUserCode, userCodeDigest } from '../../tokens/user-code'
import { grantableScopes, parseScope } from './scope'

export type DeviceDeps = {
  baseUrl: string
  settings: TenantSettings
  apis: ApiPort
  devices: DevicePort
  clock: Clock
  random: Random
  vault: Vault
  trail: Pick<Trail, 'follow'>
}

export async function beginDevice(parameters: Parameters, client: Client, deps: DeviceDeps) {
  const api = await findAudience(parameters, client, deps)
  const scopes = grantableScopes(parseScope(parameters.scope), client, api)
  const secret = mint(deps.random)
  const createdAt = deps.clock.now()
  const familyId = deps.random.uuid()
  deps.trail.follow(loginOfFamily(familyId))
  const userCode = await keepUnderFreeCode(deps, {
    digest: secret.digest,
    clientId: client.clientId,
    scopes,
    audience: api?.identifier ?? null,
    familyId,
    createdAt,
    expiresAt: addSeconds(createdAt, DEVICE_SECONDS),
  })
  const page = `${deps.baseUrl}/activate`
  return {
    device_code: secret.plain,
    user_code: userCode,
    verification_uri: page,
    verification_uri_complete: `${page}?user_code=${userCode}`,
    expires_in: DEVICE_SECONDS,
    interval: POLL_SECONDS,
  }
}

const ATTEMPTS = 5

/** User codes are unique among pending devices. There are 25 * 10^9 codes, so a collision is rare. */
async function keepUnderFreeCode(
  { devices, random, vault }: DeviceDeps,
  device: Omit<DeviceAuthorization, 'userCodeDigest'>,
): Promise<string> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const code = mintUserCode(random)
    if (await devices.insert({ ...device, userCodeDigest: userCodeDigest(code, vault) })) return showUserCode(code)
  }
  throw temporarilyUnavailable('No code is free for this device', { retryAfter: 1 })
}
