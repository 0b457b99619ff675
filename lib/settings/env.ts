// The process settings, parsed once. An invalid setting refuses all of them.
// - Every problem is reported at once, as a sentence that starts with the variable's name and never repeats a secret.
// - An unknown LATCHKEY_* name is refused: a misspelt setting must not look like a working one.
// - Plain http is for this machine only.
// - Development settings and demo mode (known passwords) are the default with the embedded database, where APP_URL and the
//   listening address are both this machine's. With a tenant file the demo tenant is not the default.
// - Demo mode and the outbox are refused on any other listening address, even if they are requested (threat-model.md BF10).
// catalogue.ts says what each variable is for; catalogue.test.ts holds the two, .env.example and the README equal.
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import ipaddr from 'ipaddr.js'
import * as z from 'zod'
import { type FingerprintHeaders, FORWARDING_HEADERS, type ForwardingHeader } from '../kernel/forwarded'
import { percentDecoded } from '../kernel/url'
import { type InnerHost, innerHosts } from './action-hosts'
import { appUrlOf } from './app-url'
import { databaseAddressProblem, hasSchema } from './database-address'
import { bareValue, deliveryProblem, givenVariables } from './delivered'
import { isLoopback } from './local-access'
import { type OutboundProxy, readOutboundProxy } from './outbound-proxy'
import { impossibleSettings, platformOf } from './platform.mjs'
import { parseRedisUrl } from './redis-address'

export type LogLevel = (typeof LOG_LEVELS)[number]

export type Env = {
  /** The issuer's origin, without a trailing slash. */
  appUrl: string
  port: number
  /** Address to listen on. */
  host: string
  /** Undefined: the embedded database. */
  databaseUrl: string | undefined
  /** Of each process. */
  databasePoolSize: number
  /** A pooler in transaction mode is in front of the database. */
  databasePooled: boolean
  /** Counts limits and announces changes; undefined: the database does. */
  redisUrl: string | undefined
  /**
   * Undefined only with the embedded database, at a local address or in demo mode; then the server generates a secret and stores it beside the data.
   */
  secret: string | undefined
  /** The secret that `npm run secret -- add` adds; servers do not read it. */
  newSecret: string | undefined
  /** Addresses and CIDR ranges whose forwarding headers are trusted. */
  trustedProxies: string[]
  /** The header by which they state the client's address; another one is ignored. */
  forwardingHeader: ForwardingHeader
  smtp: { url: string; from: string } | undefined
  /** Gateways for text messages and calls. A gateway with credentials in its address is called with Twilio's API. */
  phone: {
    smsUrl: string | undefined
    voiceUrl: string | undefined
    from: string | undefined
    secret: string | undefined
  }
  /** Whether HSTS includes subdomains. */
  hstsSubdomains: boolean
  vendorHost: string
  /** A database of MaxMind. */
  geoipFile: string | undefined
  /** Headers by which trusted proxies state fingerprints of TLS connections. */
  fingerprintHeaders: FingerprintHeaders
  /** Tenant file that is applied at start. */
  configPath: string | undefined
  /** Undefined: the small file that is included. */
  breachedPasswords: string | undefined
  logLevel: LogLevel
  /** Collector of traces; undefined: no traces. */
  tracing: { endpoint: string; headers: Record<string, string>; serviceName: string } | undefined
  /** The token for /metrics and /doctor; undefined: both are absent, and nothing is counted. */
  operatorToken: string | undefined
  /** Where the audit log is also written as JSON lines, in addition to the database: `stdout`, a path, or nowhere. */
  auditLines: string | undefined
  /** Whole days that the audit log is kept. */
  auditDays: number
  devOutbox: boolean
  /**
   * A developer's machine: a secret is generated and loopback addresses may be called. Elsewhere it is off unless it is
   * requested.
   */
  development: boolean
  /** The demo tenant and its app; a tenant file replaces them unless LATCHKEY_DEMO requests both. */
  demo: boolean
  dataDir: string
  /** Processes that share the port; lib/server/node/start-workers.ts has the rule. */
  workers: number | 'auto' | undefined
  migrateOnStart: boolean
  /** Seconds that a stopping server still accepts requests, while /readyz makes load balancers use other servers. */
  stopDelay: number
  /** Days that sessions, token families and messages are kept after their end. */
  keepDays: number
  /** The largest import of users, in MB. */
  maxImport: number
  /** Whether applications may be called at private addresses, and over plain http. */
  allowPrivateTargets: boolean
  /** The inner hosts that actions reach. */
  actionHosts: InnerHost[]
  /** The header of their requests that has the id of the request which caused them. */
  actionRequestIdHeader: string | undefined
  /** Undefined: requests connect directly, whatever HTTPS_PROXY says. */
  outboundProxy: OutboundProxy | undefined
  /**
   * The platform, where it decides which headers are trusted. The platform itself sets this; it is not an operator's setting.
   */
  platform: ReturnType<typeof platformOf>
}

export class EnvError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'))
    this.name = 'EnvError'
  }
}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
const LOCAL_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]'])

/** `true` and `false` are how tools that read YAML deliver a switch. */
const flag = z.stringbool({
  truthy: ['1', 'true'],
  falsy: ['0', 'false'],
  case: 'insensitive',
  error: 'must be 0 or 1',
})

const integer = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, { error: `must be a whole number from ${min} to ${max}`, abort: true })
    .transform(Number)
    .refine((value) => value >= min && value <= max, { error: `must be a whole number from ${min} to ${max}` })

/** White space inside, which the parser of URLs would drop, is of a value that was wrapped or pasted badly. */
const url = (schemes: string[], example: string) =>
  z.string().refine((value) => !/\s/.test(value) && URL.canParse(value) && schemes.includes(new URL(value).protocol), {
    error: `must be a URL such as ${example}`,
  })

const origin = url(['http:', 'https:'], 'https://login.example.com').refine(
  (value) => !URL.canParse(value) || isBareOrigin(new URL(value)),
  { error: 'must be an origin alone: no path, query, fragment or credentials' },
)

const proxies = z
  .string()
  .transform((value) => value.split(/[\s,]+/).filter(Boolean))
  .refine((list) => list.every(isAddressOrRange), {
    error: 'must be addresses or CIDR ranges separated by commas, such as 10.0.0.0/8,::1',
  })

const fingerprintHeaders = z
  .string()
  .regex(/^ja[34]=[\w-]{1,60}(?:,\s*ja[34]=[\w-]{1,60})?$/i, { error: 'must be such as ja3=x-ja3,ja4=x-ja4' })
  .transform((text): FingerprintHeaders => {
    const named = text
      .toLowerCase()
      .split(/,\s*/)
      .map((each) => each.split('='))
    return Object.fromEntries(named)
  })

const hostName = z
  .string()
  .regex(/^(?!-)[a-z0-9-]+(\.[a-z0-9-]+)*$/i, { error: 'must be a host name such as auth0.com' })

export const variables = z.object({
  APP_URL: origin.optional(),
  PORT: integer(0, 65535).default(3000),
  DATABASE_URL: z
    .string()
    .superRefine((value, context) => {
      const message = databaseAddressProblem(value)
      if (message !== null) context.addIssue({ code: 'custom', message })
    })
    .optional(),
  REDIS_URL: z
    .string()
    .refine((value) => parseRedisUrl(value) !== null, {
      error:
        'must be redis://host:6379, redis+sentinel://host:26379,host:26379/name or redis+cluster://host:6379,host:6379',
    })
    .optional(),
  SMTP_URL: url(['smtp:', 'smtps:'], 'smtp://user:password@mail.example.com:587').optional(),
  SMTP_FROM: z
    .string()
    .regex(/^[^\r\n]*[^\s@]+@[^\s@]+$/, { error: 'must be a sender such as Example <login@example.com>' })
    .optional(),
  LATCHKEY_SMS_URL: url(['http:', 'https:'], 'https://sms.example.com/send').optional(),
  LATCHKEY_VOICE_URL: url(['http:', 'https:'], 'https://sms.example.com/call').optional(),
  LATCHKEY_PHONE_FROM: z.string().max(40).optional(),
  LATCHKEY_PHONE_SECRET: z.string().min(32, { error: 'must be at least 32 characters long' }).optional(),
  LATCHKEY_SECRET: z.string().min(32, { error: 'must be at least 32 characters long' }).optional(),
  LATCHKEY_NEW_SECRET: z.string().min(32, { error: 'must be at least 32 characters long' }).optional(),
  LATCHKEY_HOST: z
    .string()
    .refine((value) => isIP(value) !== 0 || value === 'localhost', {
      error: 'must be an address to listen on, such as 0.0.0.0',
    })
    .optional(),
  LATCHKEY_TRUSTED_PROXIES: proxies.default([]),
  LATCHKEY_FORWARDING_HEADER: z
    .string()
    .toLowerCase()
    .pipe(z.enum(FORWARDING_HEADERS, { error: 'must be x-forwarded-for or forwarded' }))
    .default('x-forwarded-for'),
  LATCHKEY_ALLOW_HTTP: flag.default(false),
  LATCHKEY_HSTS_SUBDOMAINS: flag.default(false),
  LATCHKEY_VENDOR_HOST: hostName.default('auth0.com'),
  LATCHKEY_CONFIG: z.string().optional(),
  LATCHKEY_BREACHED_PASSWORDS: z.string().optional(),
  LATCHKEY_LOG_LEVEL: z
    .string()
    .toLowerCase()
    .pipe(z.enum(LOG_LEVELS, { error: `must be one of ${LOG_LEVELS.join(', ')}` }))
    .default('info'),
  LATCHKEY_AUDIT_LOG: z.string().default('off'),
  LATCHKEY_AUDIT_DAYS: integer(1, 3650).default(30),
  OTEL_EXPORTER_OTLP_ENDPOINT: url(['http:', 'https:'], 'http://localhost:4318').optional(),
  OTEL_EXPORTER_OTLP_HEADERS: z.string().default(''),
  OTEL_SERVICE_NAME: z.string().max(255).default('latchkey'),
  LATCHKEY_OPERATOR_TOKEN: z.string().min(16, { error: 'must be at least 16 characters long' }).optional(),
  LATCHKEY_DEMO: flag.optional(),
  LATCHKEY_DEV_OUTBOX: flag.optional(),
  LATCHKEY_DATA_DIR: z.string().default('.data'),
  LATCHKEY_DATABASE_POOL: integer(2, 500).optional(),
  LATCHKEY_DATABASE_POOLED: flag.default(false),
  LATCHKEY_GEOIP_FILE: z.string().optional(),
  LATCHKEY_FINGERPRINT_HEADERS: fingerprintHeaders.optional(),
  LATCHKEY_ALLOW_PRIVATE_TARGETS: flag.default(false),
  LATCHKEY_ACTION_HOSTS: innerHosts.default([]),
  LATCHKEY_ACTION_REQUEST_ID: z
    .string()
    .max(64)
    .regex(/^(?!x-latchkey-)(?:x-[a-z\d-]+|[a-z\d-]*(?:request|correlation)-id)$/i, {
      error: 'must be a header for an id, such as X-Request-Id',
    })
    .optional(),
  LATCHKEY_OUTBOUND_PROXY: flag.default(false),
  LATCHKEY_OUTBOUND_PROXY_RESOLVES: z
    .union([z.literal('always'), flag], { error: 'must be 0, 1 or always' })
    .default(false),
  LATCHKEY_MIGRATE: flag.default(true),
  LATCHKEY_STOP_DELAY: integer(0, 300).default(0),
  LATCHKEY_WORKERS: z
    .union([z.literal('auto'), integer(1, 128)], { error: 'must be auto or a whole number from 1 to 128' })
    .optional(),
  LATCHKEY_KEEP_DAYS: integer(1, 3650).default(30),
  LATCHKEY_MAX_IMPORT: integer(1, 10_000).default(512),
})

type Variables = z.infer<typeof variables>
export type VariableName = keyof Variables

/** Database connections of one process. A platform starts a process for each concurrent request (threat-model.md BF15). */
const POOL_SIZE = { server: 10, vercel: 2 }

/** Throws an EnvError that names every invalid variable. An empty value counts as not set, and so does what Kubernetes injects. */
export function parseEnv(source: Readonly<Record<string, string | undefined>>): Env {
  const { delivered, unread } = withFiles(givenVariables(source))
  const given = Object.fromEntries(Object.entries(delivered).map(([name, value]) => [name, bareValue(value)]))
  const undelivered = Object.keys(variables.shape).flatMap((name) => problemOf(name, given[name]))
  const parsed = variables.safeParse(given)
  const malformed = parsed.success
    ? []
    : parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}.`)
  const problems = [...unknownNames(given), ...unread, ...undelivered, ...malformed]
  if (!parsed.success || undelivered.length + unread.length > 0) throw new EnvError(problems)
  const { proxy, problems: ofProxy } = readOutboundProxy(given, parsed.data.LATCHKEY_OUTBOUND_PROXY_RESOLVES)
  const isProxied = parsed.data.LATCHKEY_OUTBOUND_PROXY
  const outboundProxy = isProxied ? proxy : undefined
  const env = { ...assemble(parsed.data, platformOf(given)), ...secretsOf(delivered), outboundProxy }
  if (isProxied) problems.push(...ofProxy)
  problems.push(...contradictions(parsed.data, env), ...impossibleSettings(given))
  if (problems.length > 0) throw new EnvError(problems)
  return env
}

/** These may hold a secret: the doctor does not show them, and `NAME_FILE` may name a file with the value. */
const SECRETS: ReadonlySet<string> = new Set<VariableName>([
  'DATABASE_URL',
  'LATCHKEY_SECRET',
  'SMTP_URL',
  'LATCHKEY_NEW_SECRET',
  'REDIS_URL',
  'LATCHKEY_SMS_URL',
  'LATCHKEY_VOICE_URL',
  'LATCHKEY_PHONE_SECRET',
  'LATCHKEY_OPERATOR_TOKEN',
  'OTEL_EXPORTER_OTLP_HEADERS',
])

export const mayHoldSecret = (name: string): boolean => SECRETS.has(name)

const FILE = '_FILE'

/** Reads the values that are in files, and says which cannot be read. */
function withFiles(given: Readonly<Record<string, string>>): { delivered: Record<string, string>; unread: string[] } {
  const delivered: Record<string, string> = { ...given }
  const unread: string[] = []
  for (const [name, text] of Object.entries(given)) {
    const plain = name.endsWith(FILE) ? name.slice(0, -FILE.length) : ''
    if (!(plain in variables.shape)) continue
    delete delivered[name]
    const content = SECRETS.has(plain) ? contentOf(bareValue(text)) : null
    if (!SECRETS.has(plain)) unread.push(`${name} is not read: put the value into ${plain}.`)
    else if (given[plain] !== undefined) unread.push(`${name} and ${plain} are both set: remove one of them.`)
    else if (content === null) unread.push(`${name} must name a file that can be read and is not empty.`)
    else delivered[plain] = content
  }
  return { delivered, unread }
}

function contentOf(path: string): string | null {
  try {
    const content = readFileSync(path, 'utf8')
    return bareValue(content) === '' ? null : content
  } catch {
    return null
  }
}

/** As they were delivered: lib/adapters/store/root-secret.ts opens a root that was stored under what was around a secret, too. */
const secretsOf = (delivered: Readonly<Record<string, string>>): Pick<Env, 'secret' | 'newSecret'> => ({
  secret: delivered.LATCHKEY_SECRET,
  newSecret: delivered.LATCHKEY_NEW_SECRET,
})

function problemOf(name: string, value: string | undefined): string[] {
  const problem = value === undefined ? null : deliveryProblem(value)
  return problem === null ? [] : [`${name} ${problem}.`]
}

function assemble(given: Variables, platform: Env['platform']): Omit<Env, 'secret' | 'newSecret' | 'outboundProxy'> {
  const appUrl = appUrlOf({ APP_URL: given.APP_URL, PORT: String(given.PORT) })
  const local = isLocal(appUrl)
  const host = given.LATCHKEY_HOST ?? (local ? 'localhost' : '0.0.0.0')
  const development = given.LATCHKEY_DEMO ?? (given.DATABASE_URL === undefined && local && isLoopback(host))
  return {
    appUrl,
    port: given.PORT,
    host,
    databaseUrl: given.DATABASE_URL,
    databasePoolSize: given.LATCHKEY_DATABASE_POOL ?? POOL_SIZE[platform ?? 'server'],
    databasePooled: given.LATCHKEY_DATABASE_POOLED,
    redisUrl: given.REDIS_URL,
    trustedProxies: given.LATCHKEY_TRUSTED_PROXIES,
    forwardingHeader: given.LATCHKEY_FORWARDING_HEADER,
    smtp: given.SMTP_URL && given.SMTP_FROM ? { url: given.SMTP_URL, from: given.SMTP_FROM } : undefined,
    phone: {
      smsUrl: given.LATCHKEY_SMS_URL,
      voiceUrl: given.LATCHKEY_VOICE_URL,
      from: given.LATCHKEY_PHONE_FROM,
      secret: given.LATCHKEY_PHONE_SECRET,
    },
    hstsSubdomains: given.LATCHKEY_HSTS_SUBDOMAINS,
    vendorHost: given.LATCHKEY_VENDOR_HOST.toLowerCase(),
    geoipFile: given.LATCHKEY_GEOIP_FILE,
    fingerprintHeaders: given.LATCHKEY_FINGERPRINT_HEADERS ?? {},
    configPath: given.LATCHKEY_CONFIG,
    breachedPasswords: given.LATCHKEY_BREACHED_PASSWORDS,
    logLevel: given.LATCHKEY_LOG_LEVEL,
    tracing: given.OTEL_EXPORTER_OTLP_ENDPOINT
      ? {
          endpoint: given.OTEL_EXPORTER_OTLP_ENDPOINT,
          headers: readHeaders(given.OTEL_EXPORTER_OTLP_HEADERS),
          serviceName: given.OTEL_SERVICE_NAME,
        }
      : undefined,
    operatorToken: given.LATCHKEY_OPERATOR_TOKEN,
    auditLines: auditTarget(given.LATCHKEY_AUDIT_LOG),
    auditDays: given.LATCHKEY_AUDIT_DAYS,
    devOutbox: given.LATCHKEY_DEV_OUTBOX ?? development,
    development,
    demo: given.LATCHKEY_DEMO ?? (development && given.LATCHKEY_CONFIG === undefined),
    dataDir: resolve(given.LATCHKEY_DATA_DIR),
    migrateOnStart: given.LATCHKEY_MIGRATE,
    stopDelay: given.LATCHKEY_STOP_DELAY,
    workers: given.LATCHKEY_WORKERS,
    keepDays: given.LATCHKEY_KEEP_DAYS,
    maxImport: given.LATCHKEY_MAX_IMPORT,
    allowPrivateTargets: given.LATCHKEY_ALLOW_PRIVATE_TARGETS,
    actionHosts: given.LATCHKEY_ACTION_HOSTS,
    actionRequestIdHeader: given.LATCHKEY_ACTION_REQUEST_ID,
    platform,
  }
}

/** `name=value,name=value` with percent-encoded values (OpenTelemetry's specification of OTLP exporters). */
const readHeaders = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .split(',')
      .map((pair) => /^\s*([^=\s]+)\s*=(.*)$/.exec(pair))
      .flatMap((match) => (match ? [[match[1] ?? '', percentDecoded((match[2] ?? '').trim())]] : [])),
  )

function auditTarget(given: string): string | undefined {
  if (given === 'off') return undefined
  return given === 'stdout' ? given : resolve(given)
}

/** Settings that are valid alone but contradict each other. */
function contradictions(given: Variables, env: Omit<Env, 'secret' | 'newSecret' | 'outboundProxy'>): string[] {
  const problems: string[] = []
  if (env.appUrl.startsWith('http:') && !isLocal(env.appUrl) && !given.LATCHKEY_ALLOW_HTTP)
    problems.push('APP_URL must begin with https:// outside localhost; LATCHKEY_ALLOW_HTTP=1 permits plain http.')
  const isHere = env.development || (isLocal(env.appUrl) && isLoopback(env.host))
  if (!given.LATCHKEY_SECRET && (env.databaseUrl !== undefined || !isHere))
    problems.push(
      'LATCHKEY_SECRET is missing: set it to 32 or more random characters, such as the output of `openssl rand -base64 32`. It is generated only for the embedded database of a server that listens on loopback.',
    )
  problems.push(...exposureProblems(env))
  if (env.workers !== undefined && env.workers !== 1 && !env.databaseUrl)
    problems.push('LATCHKEY_WORKERS needs DATABASE_URL: the embedded database serves one process.')
  if (env.databasePooled && env.databaseUrl && hasSchema(env.databaseUrl))
    problems.push(
      'DATABASE_URL has a schema, which a pooler in transaction mode does not keep: remove it, and set it for the user (ALTER ROLE … SET search_path = …).',
    )
  if (env.platform && !given.APP_URL) problems.push('APP_URL is missing: set it to the public URL of this deployment.')
  if (Boolean(given.SMTP_URL) !== Boolean(given.SMTP_FROM))
    problems.push('SMTP_URL and SMTP_FROM belong together: set both or neither.')
  if (Object.keys(env.fingerprintHeaders).length > 0 && env.trustedProxies.length === 0)
    problems.push('LATCHKEY_FINGERPRINT_HEADERS needs LATCHKEY_TRUSTED_PROXIES: no other sender is trusted.')
  problems.push(...gatewayProblems(given))
  return problems
}

/** Demo mode's passwords are public, and the outbox shows every code. */
function exposureProblems({ host, demo, devOutbox }: Pick<Env, 'host' | 'demo' | 'devOutbox'>): string[] {
  if (isLoopback(host)) return []
  const remedy = `the server listens on ${host}: set LATCHKEY_HOST=127.0.0.1, or`
  if (demo)
    return [`LATCHKEY_DEMO=1 is for a server that listens on loopback alone, and ${remedy} remove LATCHKEY_DEMO.`]
  return devOutbox
    ? [
        `LATCHKEY_DEV_OUTBOX=1 is for a server that listens on loopback alone, and ${remedy} remove LATCHKEY_DEV_OUTBOX.`,
      ]
    : []
}

/** A gateway needs credentials or a signature, and Twilio's form needs a sender. */
function gatewayProblems(given: Variables): string[] {
  return (['LATCHKEY_SMS_URL', 'LATCHKEY_VOICE_URL'] as const).flatMap((name) => {
    const address = given[name]
    if (address === undefined) return []
    if (new URL(address).username !== '') {
      return given.LATCHKEY_PHONE_FROM
        ? []
        : [`LATCHKEY_PHONE_FROM is missing: ${name} with credentials needs a sender.`]
    }
    return given.LATCHKEY_PHONE_SECRET
      ? []
      : [`LATCHKEY_PHONE_SECRET is missing: it signs what is sent to ${name}, which holds no credentials.`]
  })
}

function unknownNames(given: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(given)
    .filter((name) => /^latchkey_/i.test(name) && !(name in variables.shape))
    .map((name) => `${name} is not a setting of Latchkey: remove it, or correct its name (see .env.example).`)
}

export const isLocal = (appUrl: string): boolean => LOCAL_HOSTS.has(new URL(appUrl).hostname)

const isBareOrigin = (value: URL): boolean =>
  value.pathname === '/' && !value.search && !value.hash && !value.username && !value.password

const isAddressOrRange = (value: string): boolean => ipaddr.isValid(value) || ipaddr.isValidCIDR(value)
