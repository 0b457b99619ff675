// The tenant of the benchmark with additions for interrupted clients: a leeway as long as the longest fault, a logout URL, and
// one limit low enough to be reached.
import { DEVICE_ID } from '../lib/definition.mjs'
import { tenantFile } from '../sides/ours-tenant.mjs'

export const LEEWAY_SECONDS = 60
export const FAREWELL = 'https://app.bench.test/bye'
export const CONNECTION = 'Username-Password-Authentication'
/** The limit of the client that sends too many requests. */
export const SMALL_LIMIT = { burst: 10, per_minute: 60 }

export { DEVICE_ID }

export function chaosTenant(passwordHash) {
  const file = JSON.parse(tenantFile(passwordHash))
  const [app] = file.clients
  app.refresh_token.leeway = LEEWAY_SECONDS
  app.allowed_logout_urls = [FAREWELL]
  file.tenant.rate_limits.device_code = SMALL_LIMIT
  file.tenant.rate_limits.signup = { burst: 100_000, per_minute: 100_000 }
  return JSON.stringify(file, null, 2)
}
