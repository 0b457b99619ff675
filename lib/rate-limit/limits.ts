// THE policy: what each limit allows unless the tenant's `rate_limits` says otherwise (docs/rate-limits.md shows it; tests
// hold it equal to that page; each endpoint names its own limit).
// - Strict where something is guessed or a message is caused, generous where a server of an application asks for many.
// - `by` says whose bucket it is. A name that was only claimed is nobody's: until a user or client is proven, the network
//   counts, in `unproven`; so no stranger can empty somebody else's bucket.
// - `own` limits guard this process's time and nothing else: each process counts them, and no store is asked.
import type { Limit } from './bucket'

export type LimitBy =
  /** An IPv4 address or the /64 of an IPv6 address. */
  | 'network'
  /** The same, or what a client that is trusted with it says whom it asks for (lib/oauth/forwarded-for.ts). */
  | 'network told'
  /** The network and the account that was named there. */
  | 'network and account'
  | 'client'
  | 'user'

export type LimitRule = Limit & { by: LimitBy; own?: true }

export const LIMITS = {
  /** Answered from memory. */
  metadata: { burst: 1200, per_minute: 1200, by: 'network', own: true },
  authorize: { burst: 1200, per_minute: 1200, by: 'network' },
  pages: { burst: 1200, per_minute: 1200, by: 'network' },
  submit: { burst: 600, per_minute: 600, by: 'network' },
  logout: { burst: 600, per_minute: 600, by: 'network' },
  token: { burst: 6000, per_minute: 60_000, by: 'client' },
  introspect: { burst: 6000, per_minute: 60_000, by: 'client' },
  revoke: { burst: 6000, per_minute: 60_000, by: 'client' },
  par: { burst: 6000, per_minute: 60_000, by: 'client' },
  unproven: { burst: 1200, per_minute: 1200, by: 'network' },
  userinfo: { burst: 300, per_minute: 300, by: 'user' },
  current_user: { burst: 60, per_minute: 120, by: 'user' },
  mfa: { burst: 30, per_minute: 30, by: 'user' },
  mfa_device: { burst: 300, per_minute: 300, by: 'network' },
  cross_origin_login: { burst: 300, per_minute: 300, by: 'network' },
  /** The vendor's: one account at one network, whether or not the password is right. */
  login: { burst: 20, per_minute: 10, by: 'network and account' },
  signup: { burst: 100, per_minute: 100, by: 'network' },
  /** The vendor's. */
  change_password: { burst: 10, per_minute: 1, by: 'network and account' },
  /** The vendor's fifty an hour. */
  passwordless_start: { burst: 50, per_minute: 50 / 60, by: 'network told' },
  passwordless_verify: { burst: 60, per_minute: 60, by: 'network' },
  device_code: { burst: 60, per_minute: 60, by: 'network' },
  /** Codes that were typed. */
  activate: { burst: 20, per_minute: 10, by: 'network' },
  /** The vendor's five a second. */
  register: { burst: 5, per_minute: 300, by: 'network' },
  registration: { burst: 60, per_minute: 60, by: 'network' },
} as const satisfies Record<string, LimitRule>

export type LimitName = keyof typeof LIMITS

export const LIMIT_NAMES = Object.keys(LIMITS) as LimitName[]
