// REDIS_URL in its three forms, one for each topology of Redis and Valkey; `rediss` uses TLS.
//   redis://user:password@host:6379/0
//   redis+sentinel://user:password@host:26379,host:26379/name-of-the-primary/0?sentinel_password=theirs
//   redis+cluster://user:password@host:6379,host:6379
// User and password are optional, and percent-encoded as in any URL. Pure; nothing here connects.

export type RedisNode = { host: string; port: number }

export type RedisAddress = {
  kind: 'single' | 'sentinel' | 'cluster'
  /** The initial nodes; for `single`, the one server. */
  nodes: RedisNode[]
  /** The sentinels' name of the primary. */
  primary: string | undefined
  database: number
  username: string | undefined
  password: string | undefined
  /** The password of the sentinels; most have none. */
  sentinelPassword: string | undefined
  tls: boolean
}

const FORM =
  /^redis(s?)(?:\+(sentinel|cluster))?:\/\/(?:([^@/?#\s]*)@)?([^@/?#\s]+)((?:\/[^/?#\s]*)*)(?:\?sentinel_password=([^&#\s]+))?$/
const NODE = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(\d{1,5}))?$/i
const DEFAULT_PORT = { single: 6379, cluster: 6379, sentinel: 26379 }

/** Null for a URL in none of the three forms. */
export function parseRedisUrl(url: string): RedisAddress | null {
  const [, s, form, login = '', hosts = '', path = '', secret] = FORM.exec(url) ?? []
  if (s === undefined) return null
  const kind = form === 'sentinel' || form === 'cluster' ? form : 'single'
  const nodes = hosts.split(',').map((host) => readNode(host, DEFAULT_PORT[kind]))
  const place = readPlace(kind, path.split('/').slice(1).filter(Boolean))
  const credentials = readLogin(login, secret)
  if (!place || !credentials || (kind === 'single' && nodes.length > 1)) return null
  if (kind !== 'sentinel' && secret !== undefined) return null
  const known = nodes.filter((node) => node !== null)
  return known.length < nodes.length ? null : { kind, nodes: known, ...place, ...credentials, tls: s === 's' }
}

function readNode(text: string, defaultPort: number): RedisNode | null {
  const [, host, port] = NODE.exec(text) ?? []
  const number = port === undefined ? defaultPort : Number(port)
  if (host === undefined || number < 1 || number > 65535) return null
  return { host: host.replace(/^\[|\]$/g, ''), port: number }
}

/** A cluster has one database; a sentinel URL must name the primary. */
function readPlace(kind: RedisAddress['kind'], segments: string[]): Pick<RedisAddress, 'primary' | 'database'> | null {
  const primary = kind === 'sentinel' ? segments.shift() : undefined
  const database = kind === 'cluster' ? '0' : (segments.shift() ?? '0')
  if (segments.length > 0 || !/^\d{1,4}$/.test(database) || (kind === 'sentinel' && primary === undefined)) return null
  return { primary, database: Number(database) }
}

function readLogin(
  login: string,
  secret: string | undefined,
): Pick<RedisAddress, 'username' | 'password' | 'sentinelPassword'> | null {
  const split = login.indexOf(':')
  const [user, password] = split < 0 ? [login, ''] : [login.slice(0, split), login.slice(split + 1)]
  try {
    return {
      username: decodeURIComponent(user) || undefined,
      password: decodeURIComponent(password) || undefined,
      sentinelPassword: secret === undefined ? undefined : decodeURIComponent(secret),
    }
  } catch {
    return null
  }
}
