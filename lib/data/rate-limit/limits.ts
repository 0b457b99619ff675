// The default limits, which the tenant's `rate_limits` can change. docs/rate-limits.md shows them, and tests hold the two equal.
// Each endpoint names its own limit.
// - Limits are strict where a secret can be guessed or a message is sent, and generous where the server of an application calls
//   often.
// - `by` selects the bucket. A claimed user or client does not select a bucket: until it is proven, the request counts against
//   the network, in `unproven`. So a stranger cannot empty another party's bucket.
// - `own` limits protect the time of this process only: each process counts them, without the shared store.
import type { Limit } from './bucket'

export type LimitBy =
  /** An IPv4 address or the /64 of an IPv6 address. */
  | 'network'
  /**
   * The same, and the /56 and /48 of an IPv6 address with higher limits: where guesses or messages add up, one party must not
   * multiply its limit by the number of its /64 networks (threat-model.md BF7, BF8).
   */
  | 'networks'
  /** The same for the user's address as a trusted client states it (lib/protocols/oauth/forwarded-for.ts). */
  | 'reported networks'
  /** The network together with the account named in the request. */
  | 'network and account'
  | 'client'
  | 'user'

export type LimitRule = Limit & { by: LimitBy; own?: true }

export const LIMITS = {
  /** Answered from memory. */
  metadata: { burst: 1200, per_minute: 1200, by: 'network', own: true },
  authorize: { burst: 1200, per_minute: 1200, by: 'network' },
  pages: { burst: 1200, per_minute: 1200, by: 'network' },
  submit: { burst: 600, per_minute: 600, by: 'networks' },
  logout: { burst: 600, per_minute: 600, by: 'network' },
  token: { burst: 6000, per_minute: 60_000, by: 'client' },
  introspect: { burst: 6000, per_minute: 60_000, by: 'client' },
  revoke: { burst: 6000, per_minute: 60_000, by: 'client' },
  par: { burst: 6000, per_minute: 60_000, by: 'client' },
  unproven: { burst: 1200, per_minute: 1200, by: 'network' },
  userinfo: { burst: 300, per_minute: 300, by: 'user' },
  /** Of its own, so that management never slows logins. */
  management: { burst: 600, per_minute: 3000, by: 'client' },
  current_user: { burst: 60, per_minute: 120, by: 'user' },
  mfa: { burst: 30, per_minute: 30, by: 'user' },
  mfa_device: { burst: 300, per_minute: 300, by: 'networks' },
  cross_origin_login: { burst: 300, per_minute: 300, by: 'networks' },
  /** The vendor's limit: one account at one network, whether the password is right or wrong. */
  login: { burst: 20, per_minute: 10, by: 'network and account' },
  signup: { burst: 100, per_minute: 100, by: 'networks' },
  /** The vendor's limit. */
  change_password: { burst: 10, per_minute: 1, by: 'network and account' },
  /** The vendor's limit of fifty an hour. */
  passwordless_start: { burst: 50, per_minute: 50 / 60, by: 'reported networks' },
  /** A start of /passkey/register says whether an address is taken. */
  passkey: { burst: 100, per_minute: 60, by: 'networks' },
  passwordless_verify: { burst: 60, per_minute: 60, by: 'networks' },
  device_code: { burst: 60, per_minute: 60, by: 'networks' },
  /** User codes that were typed. */
  activate: { burst: 20, per_minute: 10, by: 'networks' },
  /** The vendor's limit of five a second. */
  register: { burst: 5, per_minute: 300, by: 'networks' },
  registration: { burst: 60, per_minute: 60, by: 'network' },
} as const satisfies Record<string, LimitRule>

export type LimitName = keyof typeof LIMITS

export const LIMIT_NAMES = Object.keys(LIMITS) as LimitName[]
