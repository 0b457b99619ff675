// DATABASE_URL: what of it cannot be used, and the schema and session parameters that it asks for. Pure but for the certificates that
// it names; nothing here connects.
import { accessSync, constants } from 'node:fs'
import { parseUrl } from '../kernel/url'

const SSL_MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify']
const CERTIFICATES = ['sslrootcert', 'sslcert', 'sslkey']
const SCHEMA = /^[A-Za-z_][\w$]{0,62}$/

const EXAMPLE = 'must be a URL such as postgresql://user:password@localhost:5432/latchkey'
const SEVERAL =
  'names several hosts: name one, such as an address or a proxy that follows the primary. Replicas are not read, and other hosts are not tried'

/** The sentence goes on from the name of the setting, and repeats no part of a password. Null for an address that can be used. */
export function databaseAddressProblem(address: string): string | null {
  if (hostsOf(address).includes(',')) return SEVERAL
  const url = /\s/.test(address) ? null : parseUrl(address)
  if (!url || !/^postgres(?:ql)?:$/.test(url.protocol)) return EXAMPLE
  const { searchParams: given } = url
  if (['host', 'hostaddr', 'port'].some((name) => given.get(name)?.includes(','))) return SEVERAL
  const mode = given.get('sslmode')
  if (mode !== null && !SSL_MODES.includes(mode)) return `has an unknown sslmode: use one of ${SSL_MODES.join(', ')}`
  const ssl = given.get('ssl')
  if (ssl !== null && !/^(?:true|1|0)$/.test(ssl)) return 'has an unknown value of ssl: remove it, and use sslmode'
  const unreadable = CERTIFICATES.find((name) => given.has(name) && !isReadable(given.get(name) ?? ''))
  if (unreadable) return `names a file in ${unreadable} that cannot be read`
  const schema = given.get('schema')
  if (schema !== null && !SCHEMA.test(schema)) return 'has a schema that is no plain name: use letters, digits and _'
  return schema !== null && /search_path/.test(given.get('options') ?? '')
    ? 'has a schema and a search_path in its options: remove one of them'
    : null
}

/** Behind the password, which may have commas. */
const hostsOf = (address: string): string =>
  /^postgres(?:ql)?:\/\/([^/?#]*)/.exec(address)?.[1]?.split('@').at(-1) ?? ''

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK)
    return true
  } catch {
    return false
  }
}

export const hasSchema = (address: string): boolean => new URL(address).searchParams.has('schema')

/**
 * The address without what goes into the start of a session, and that: the options of the address come after the defaults, so they
 * win. `schema` is a parameter of Prisma's addresses, which PostgreSQL knows as search_path.
 */
export function sessionOf(address: string, defaults: string): { address: string; options: string } {
  const url = parseUrl(address)
  const schema = url?.searchParams.get('schema')
  const own = url?.searchParams.get('options')
  const options = [defaults, own, schema && `-c search_path="${schema}"`].filter(Boolean).join(' ')
  if (!url || (!schema && !own)) return { address, options }
  url.searchParams.delete('schema')
  url.searchParams.delete('options')
  return { address: url.href, options }
}
