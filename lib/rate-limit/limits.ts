// The whole policy: which endpoint counts what, and how much is allowed unless the tenant's `rate_limits` says otherwise.
import type { TenantSettings } from '../tenants/settings'
import type { Limit } from './bucket'

const LIMITS = {
  /** Counted per user. */
  userinfo: { burst: 300, per_minute: 300 },
  /** A person's own data, counted per user. */
  current_user: { burst: 60, per_minute: 120 },
  /** Codes of devices, counted per network. */
  activate: { burst: 20, per_minute: 10 },
  /** Counted per network; the vendor's five a second. */
  register: { burst: 5, per_minute: 300 },
  /** Counted per network and address; the vendor's. */
  change_password: { burst: 10, per_minute: 1 },
  /** Counted per network; the vendor's fifty an hour. */
  passwordless_start: { burst: 50, per_minute: 50 / 60 },
} as const satisfies Record<string, Limit>

export type LimitName = keyof typeof LIMITS

export const limitOf = (name: LimitName, settings: TenantSettings): Limit =>
  settings.tenant.rate_limits[name] ?? LIMITS[name]
