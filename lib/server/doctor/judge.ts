// Turns facts into findings in sentences. Every finding that is not healthy says what to do.
// Pure; lib/server/maintenance/doctor.ts collects the facts.

import type { Certificate, OwnAddress } from '../../adapters/channels/own-address'
import type { ClientFacts, DeliveringFacts, ServerFacts } from '../../adapters/store/sql/doctor-facts'
import { DEFAULT_ALGORITHM } from '../../crypto/keys/algorithms'
import { secondsBetween } from '../../kernel/clock'
import { FORWARDING_HEADERS, type ForwardingHeader, forwardedAddresses } from '../../kernel/forwarded'
import type { OutboundProxy } from '../../settings/outbound-proxy'
import { type Arrival, doubtful, type Finding, ill, well } from './finding'

const DAY = 86_400

export function judgeAddress(appUrl: string, local: boolean, found: OwnAddress, now: Date): Finding[] {
  const about = 'issuer'
  if (found.outcome === 'failed')
    return [
      ill(
        about,
        `${appUrl} does not answer from here (${found.reason}). If people reach it, this machine's DNS or firewall differs from theirs; otherwise correct APP_URL, the proxy or the certificate.`,
      ),
    ]
  const issuer =
    found.issuer === `${appUrl}/`
      ? well(about, `${appUrl} answers with the issuer ${found.issuer}.`)
      : ill(
          about,
          `${appUrl} answers with the issuer ${found.issuer}: another server stands there, or the proxy changes the Host header of a tenant.`,
        )
  return [issuer, ...judgeCertificate(appUrl, local, found.certificate, now)]
}

function judgeCertificate(appUrl: string, local: boolean, certificate: Certificate | null, now: Date): Finding[] {
  const about = 'TLS'
  if (certificate === null)
    return local
      ? [well(about, 'Plain http, on this machine only.')]
      : [
          ill(
            about,
            `${appUrl} is plain http: passwords and tokens travel readable. Put TLS in front, and https:// in APP_URL.`,
          ),
        ]
  const { begins, ends } = certificate
  const left = secondsBetween(now, ends)
  const until = ends.toISOString().slice(0, 10)
  if (left < 0) return [ill(about, `The certificate ended on ${until}: renew it.`)]
  // What renews certificates of a few days or hours does so in their last third.
  return left < Math.min(14 * DAY, secondsBetween(begins, ends) / 4)
    ? [doubtful(about, `The certificate ends on ${until}: renew it, or check why automatic renewal failed.`)]
    : [well(about, `The certificate is valid until ${until}.`)]
}

export function judgeArrival(
  appUrl: string,
  { ip, forwardedFor, forwarded, forwardedProto, host }: Arrival,
  header: ForwardingHeader,
): Finding[] {
  const sent = { 'x-forwarded-for': forwardedFor, forwarded }
  const findings = [judgeProxy(ip, header, sent)]
  const { protocol, host: ours } = new URL(appUrl)
  if (forwardedProto !== undefined && `${forwardedProto}:` !== protocol)
    findings.push(
      ill(
        'proxy',
        `The proxy was reached by ${forwardedProto}, but APP_URL says ${protocol.slice(0, -1)}: make them agree.`,
      ),
    )
  if (host !== ours)
    findings.push(
      doubtful(
        'proxy',
        `The request names the host ${host ?? '(none)'}, APP_URL says ${ours}: with several tenants, the proxy must pass Host on unchanged.`,
      ),
    )
  return findings
}

function judgeProxy(
  ip: string,
  header: ForwardingHeader,
  sent: Readonly<Record<ForwardingHeader, string | undefined>>,
) {
  const other = FORWARDING_HEADERS.find((name) => name !== header && sent[name] !== undefined)
  if (sent[header] === undefined && other)
    return doubtful(
      'proxy',
      `The proxy at ${ip} sends ${other}, and ${header} is read: its users count as ${ip} for limits and blocks. Set LATCHKEY_FORWARDING_HEADER=${other}.`,
    )
  if (sent[header] === undefined) return well('proxy', `No proxy; your address is ${ip}.`)
  return [...forwardedAddresses(header, sent)].includes(ip)
    ? well('proxy', `A trusted proxy forwarded this request; your address is ${ip}.`)
    : ill(
        'proxy',
        `The proxy at ${ip} forwards for ${sent[header]}, but is not trusted, or states no address: all users count as ${ip} for limits and blocks. List it in LATCHKEY_TRUSTED_PROXIES.`,
      )
}

/** The largest clock difference, in seconds: codes of authenticator apps and SAML responses are valid for minutes. */
const CLOCK_SECONDS = 5

export function judgeClock(ours: Date, database: Date): Finding {
  const apart = Math.abs(secondsBetween(ours, database))
  const says = `This machine's clock and the database's differ by ${apart.toFixed(1)} s`
  return apart <= CLOCK_SECONDS
    ? well('clock', `${says}.`)
    : ill(
        'clock',
        `${says}: codes and signatures depend on the time. Run NTP (chrony, systemd-timesyncd) on both; where the database is on its machine, a server whose clock was ahead and was set back is right again after a restart.`,
      )
}

export type DatabaseFacts = Omit<ServerFacts, 'now'> & {
  poolSize: number
  /** Why this version cannot use the database at all, as a sentence. */
  unusable: string | null
  missingMigrations: readonly string[]
  roundTripMs: number
}

const OLDEST_POSTGRES = 15

export function judgeDatabase(facts: DatabaseFacts): Finding[] {
  const about = 'database'
  const major = Math.floor(facts.version / 10_000)
  const findings = [
    major >= OLDEST_POSTGRES
      ? well(about, `PostgreSQL ${major} answers in ${facts.roundTripMs.toFixed(1)} ms.`)
      : ill(about, `PostgreSQL ${major} is not supported: use ${OLDEST_POSTGRES} or later.`),
  ]
  if (facts.unusable !== null) findings.push(ill(about, facts.unusable))
  if (facts.missingMigrations.length > 0)
    findings.push(
      ill(about, `Migrations are missing (${facts.missingMigrations.join(', ')}): run \`npm run migrate\`.`),
    )
  if (facts.fsync !== 'on' || facts.fullPageWrites !== 'on')
    findings.push(ill(about, 'fsync or full_page_writes is off: a power cut can destroy the database. Switch both on.'))
  if (facts.synchronousCommit === 'off')
    findings.push(
      ill(
        about,
        'synchronous_commit is off: what was acknowledged (a sign-up, a logout) may be lost by a crash. Switch it on.',
      ),
    )
  if (facts.poolSize * 2 > facts.maxConnections)
    findings.push(
      doubtful(
        about,
        `One instance may open ${facts.poolSize} of the database's ${facts.maxConnections} connections: a second one will not fit. Raise max_connections, lower LATCHKEY_DATABASE_POOL, or put PgBouncer in between.`,
      ),
    )
  if (facts.roundTripMs > 20)
    findings.push(
      doubtful(about, `A round trip takes ${facts.roundTripMs.toFixed(0)} ms: run the server nearer to its database.`),
    )
  return findings
}

export function judgeRedis(configured: boolean, state: 'up' | 'down' | undefined, policy: string | null): Finding {
  if (!configured)
    return well('Redis', 'Not used; limits are counted in PostgreSQL, or in this process with the embedded database.')
  if (state !== 'up')
    return ill(
      'Redis',
      'Redis does not answer; limits are counted in PostgreSQL meanwhile. Start it, or correct REDIS_URL.',
    )
  return policy === null || policy === 'noeviction' || policy.startsWith('volatile')
    ? well('Redis', 'It answers.')
    : doubtful(
        'Redis',
        `maxmemory-policy is ${policy}: Redis may evict limits when it is full. Set noeviction or volatile-ttl.`,
      )
}

/** `without`: the tenants that have no mail provider of their own, and so need the server's. */
export type MailFacts = {
  configured: boolean
  without: number
  failure: string | null
  outbox: boolean
  oldestSeconds: number
}

/** @param failure of reading LATCHKEY_GEOIP_FILE; null if it can be read */
export const judgePlaces = (failure: string | null): Finding[] => [
  failure === null
    ? well('places', 'The file of places can be read.')
    : ill('places', `LATCHKEY_GEOIP_FILE cannot be read (${failure}): actions get no places.`),
]

/** What the guard of outgoing requests cannot judge, because the operator leaves it to the proxy. */
export function judgeOutbound(proxy: Pick<OutboundProxy, 'resolves'> | undefined): Finding[] {
  if (!proxy) return []
  const about = 'outgoing requests'
  if (proxy.resolves === false) return [well(about, 'They go through the proxy, to addresses that are judged here.')]
  const left =
    proxy.resolves === 'always'
      ? 'The proxy looks up every name again, so an address can differ from the one that was judged here'
      : 'Names that are not found here are left to the proxy, and not judged here'
  return [
    doubtful(
      about,
      `${left} (LATCHKEY_OUTBOUND_PROXY_RESOLVES). Let the proxy refuse internal addresses, or remove the setting.`,
    ),
  ]
}

export function judgeMail({ configured, without, failure, outbox, oldestSeconds }: MailFacts): Finding[] {
  const findings: Finding[] = []
  if (!configured && without === 0) findings.push(well('mail', 'Every tenant has a mail provider of its own.'))
  else if (!configured)
    findings.push(
      outbox
        ? well('mail', 'No mail server is set; messages are shown at /dev/outbox.')
        : ill(
            'mail',
            'No mail server is set: codes, password resets and verifications are not sent. Set SMTP_URL and SMTP_FROM.',
          ),
    )
  else if (failure !== null)
    findings.push(ill('mail', `The mail server refuses the connection (${failure}): correct SMTP_URL.`))
  else findings.push(well('mail', 'The mail server accepts the connection.'))
  if (oldestSeconds > 300)
    findings.push(
      ill(
        'mail',
        `A message has waited for ${Math.round(oldestSeconds / 60)} minutes: \`npm run messages\` shows why.`,
      ),
    )
  return findings
}

/** As lib/identity/tenant-code/actions/engine.ts chooses: the bound action, or else the only one that is deployed for the trigger. */
export const judgeDelivering = (triggers: readonly DeliveringFacts[]): Finding[] =>
  triggers.flatMap(({ tenant, trigger, bound, deployed }) => {
    const [name, another] = bound.length > 0 ? bound : deployed
    if (name !== undefined && another === undefined && deployed.includes(name)) return []
    return [
      ill(
        'messages',
        `The tenant ${tenant} has messages that an action at ${trigger} delivers, and there is no such action: deploy one and bind it.`,
      ),
    ]
  })

export type KeyFacts = { algorithm: string; kid: string; state: string; createdAt: Date }

const OLD_KEY_DAYS = 365

/** Every tenant has a series of RS256; others where a client or an API asks for them. */
export function judgeKeys(keys: readonly KeyFacts[], now: Date): Finding[] {
  const series = new Set([DEFAULT_ALGORITHM, ...keys.map(({ algorithm }) => algorithm)])
  return [...series].flatMap((each) =>
    judgeSeries(
      each,
      keys.filter(({ algorithm }) => algorithm === each),
      now,
    ),
  )
}

function judgeSeries(algorithm: string, keys: readonly KeyFacts[], now: Date): Finding[] {
  const current = keys.find(({ state }) => state === 'current')
  if (!current)
    return [
      ill(
        'keys',
        `There is no current ${algorithm} key: no token can be signed by it. Run \`npm run keys -- rotate\`.`,
      ),
    ]
  const findings: Finding[] = []
  if (!keys.some(({ state }) => state === 'next'))
    findings.push(
      doubtful(
        'keys',
        `No next ${algorithm} key is published: rotating now would fail clients that cache the keys. Restart a server, which creates one.`,
      ),
    )
  const days = Math.floor(secondsBetween(current.createdAt, now) / DAY)
  findings.push(
    days > OLD_KEY_DAYS
      ? doubtful('keys', `The current ${algorithm} key is ${days} days old: rotate it with \`npm run keys -- rotate\`.`)
      : well('keys', `The current ${algorithm} key ${current.kid} is ${days} days old.`),
  )
  return findings
}

export type PasskeyFacts = {
  /** Whether browsers have WebAuthn at the address. */
  usable: boolean
  /** The database connections that offer passkeys. */
  connections: readonly string[]
  /** The enabled second factors. */
  factors: readonly string[]
}

/** Where browsers have no WebAuthn, its pages leave it out: passkeys are missed, and a second factor cannot be added or proven. */
export function judgePasskeys(appUrl: string, { usable, connections, factors }: PasskeyFacts): Finding[] {
  const about = 'passkeys'
  const keys = factors.filter((factor) => factor.startsWith('webauthn-'))
  if (connections.length === 0 && keys.length === 0) return []
  if (usable) return [well(about, `Browsers take passkeys and security keys at ${appUrl}.`)]
  const remedy = 'Browsers take them over https and at localhost, and never at an IP address: change APP_URL.'
  const findings: Finding[] = []
  if (connections.length > 0)
    findings.push(
      doubtful(about, `${connections.join(', ')} offers passkeys, but browsers refuse them at ${appUrl}. ${remedy}`),
    )
  if (keys.length > 0)
    findings.push(
      keys.length === factors.length
        ? ill(
            about,
            `The only second factors are ${keys.join(' and ')}, which browsers refuse at ${appUrl}: a login that needs one cannot finish. ${remedy}`,
          )
        : doubtful(about, `${keys.join(' and ')} cannot be used at ${appUrl}. ${remedy}`),
    )
  return findings
}

const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])$/

/** An account whose stored address is another spelling of that of another account, or is spelt as before. */
export type UnreachableAccount = { userId: string; connectionId: string }

const LISTED = 20

const inShort = (names: readonly string[]): string =>
  names.slice(0, LISTED).join(', ') + (names.length > LISTED ? ` and ${names.length - LISTED} more` : '')

/** Checks that users can sign in to each application that lets them; `unconnected` are those without a connection. */
export function judgeConnections(unconnected: readonly Pick<ClientFacts, 'clientId' | 'name'>[]): Finding[] {
  if (unconnected.length === 0) return []
  const named = inShort(unconnected.map(({ clientId, name }) => `${name} (${clientId})`))
  return [
    doubtful(
      'applications',
      `No connection is enabled for ${named}: no user can sign in. Enable one under Connections in the console, or by enabled_clients in the tenant file.`,
    ),
  ]
}

/** Checks that every account is found by its address. */
export function judgeAddresses(found: readonly UnreachableAccount[]): Finding[] {
  if (found.length === 0) return [well('addresses', 'Every account is found by any spelling of its address.')]
  const listed = inShort(found.map(({ userId, connectionId }) => `${userId} (${connectionId})`))
  return [
    doubtful(
      'addresses',
      `Another account has the same mailbox in another spelling, and signs in with it, in place of ${listed}. ` +
        'Link each to the other account, change its address, or delete it by the Management API.',
    ),
  ]
}

/** Checks the addresses that receive codes and tokens. */
export function judgeClients(clients: readonly ClientFacts[], local: boolean): Finding[] {
  if (clients.length === 0)
    return [
      doubtful(
        'applications',
        'No application is registered: make one in the console, or apply a tenant file that describes it.',
      ),
    ]
  const findings = clients.flatMap((client) => client.urls.flatMap((url) => judgeUrl(url, client, local)))
  return findings.length > 0
    ? findings
    : [well('redirect URIs', `Those of ${clients.length} applications are in order.`)]
}

function judgeUrl(url: string, { clientId, name, native }: ClientFacts, local: boolean): Finding[] {
  const about = 'redirect URIs'
  const whose = `${name} (${clientId})`
  const { protocol, hostname } = new URL(url)
  if (hostname.includes('*'))
    return [
      doubtful(
        about,
        `${whose} lists ${url}: the owner of any name under that domain receives its codes. List each address.`,
      ),
    ]
  if (LOOPBACK.test(hostname))
    return local || native
      ? []
      : [
          doubtful(
            about,
            `${whose} lists ${url}: on other people's machines other programs answer there. Remove it in production.`,
          ),
        ]
  return protocol === 'http:' ? [ill(about, `${whose} lists ${url}: codes travel readable. Use https://.`)] : []
}
