import { describe, expect, it } from 'vitest'
import { EnvError, parseEnv } from './env'

const SECRET = 's'.repeat(32)
const DATABASE_URL = 'postgresql://u:p@db:5432/latchkey'

function problems(source: Record<string, string>): readonly string[] {
  try {
    parseEnv(source)
  } catch (error) {
    if (error instanceof EnvError) return error.problems
    throw error
  }
  return []
}

describe('process settings', () => {
  it('needs nothing on this machine: embedded database, demo mode, outbox, no secret yet', () => {
    const env = parseEnv({})
    expect(env).toMatchObject({ appUrl: 'http://localhost:3000', host: 'localhost', port: 3000, demo: true })
    expect(env).toMatchObject({ devOutbox: true, databaseUrl: undefined, secret: undefined, vendorHost: 'auth0.com' })
  })

  it('takes the port into the default issuer and drops the trailing slash of a given one', () => {
    expect(parseEnv({ PORT: '4001' }).appUrl).toBe('http://localhost:4001')
    expect(parseEnv({ APP_URL: 'https://id.example.com/', LATCHKEY_SECRET: SECRET }).appUrl).toBe(
      'https://id.example.com',
    )
  })

  it('never turns demo mode on by itself for a public address', () => {
    const env = parseEnv({ APP_URL: 'https://id.example.com', LATCHKEY_SECRET: SECRET })
    expect(env).toMatchObject({ demo: false, devOutbox: false, host: '0.0.0.0' })
  })

  it.each(['0.0.0.0', '::', '192.168.1.9'])('never turns demo mode on by itself where it listens on %s', (host) => {
    const env = parseEnv({ LATCHKEY_HOST: host, LATCHKEY_SECRET: SECRET })
    expect(env).toMatchObject({ demo: false, development: false, devOutbox: false, host })
    expect(problems({ LATCHKEY_HOST: host })).toEqual([expect.stringMatching(/^LATCHKEY_SECRET is missing/)])
  })

  it.each(['0.0.0.0', '::', '192.168.1.9'])('refuses demo mode and outbox where it listens on %s', (host) => {
    const source = { LATCHKEY_HOST: host, LATCHKEY_SECRET: SECRET, DATABASE_URL }
    const refusal = expect.stringMatching(`is for a server that listens on loopback alone.*listens on ${host}`)
    expect(problems({ ...source, LATCHKEY_DEMO: '1' })).toEqual([refusal])
    expect(problems({ ...source, LATCHKEY_DEV_OUTBOX: '1' })).toEqual([refusal])
    expect(problems({ ...source, LATCHKEY_DEMO: '1', LATCHKEY_DEV_OUTBOX: '0' })).toEqual([refusal])
    expect(problems(source)).toEqual([])
  })

  it('refuses both for a public address, whose server listens everywhere by default', () => {
    const source = { APP_URL: 'https://id.example.com', LATCHKEY_SECRET: SECRET }
    expect(problems({ ...source, LATCHKEY_DEMO: '1' })).toHaveLength(1)
    expect(problems({ ...source, LATCHKEY_DEV_OUTBOX: '1' })).toHaveLength(1)
    expect(problems({ ...source, LATCHKEY_DEMO: '1', LATCHKEY_HOST: '127.0.0.1' })).toEqual([])
  })

  it.each(['localhost', '127.0.0.1', '::1', '127.0.0.5'])('has demo mode where it listens on %s', (host) => {
    expect(parseEnv({ LATCHKEY_HOST: host })).toMatchObject({ demo: true, devOutbox: true })
  })

  it('leaves demo mode when a database is given, by default', () => {
    expect(parseEnv({ DATABASE_URL, LATCHKEY_SECRET: SECRET }).demo).toBe(false)
    expect(parseEnv({ DATABASE_URL, LATCHKEY_SECRET: SECRET, LATCHKEY_DEMO: '1' }).demo).toBe(true)
  })

  it('leaves the demo tenant out beside a tenant file by default, and stays a development machine', () => {
    const own = parseEnv({ LATCHKEY_CONFIG: 'tenant.yaml' })
    expect(own).toMatchObject({ demo: false, development: true, devOutbox: true, secret: undefined })
    const both = parseEnv({ LATCHKEY_CONFIG: 'tenant.yaml', LATCHKEY_DEMO: '1' })
    expect(both).toMatchObject({ demo: true, development: true })
    const elsewhere = parseEnv({ LATCHKEY_CONFIG: 'tenant.yaml', DATABASE_URL, LATCHKEY_SECRET: SECRET })
    expect(elsewhere).toMatchObject({ demo: false, development: false, devOutbox: false })
  })

  it('demands a secret wherever none can be kept beside the embedded data of a local server', () => {
    expect(problems({ DATABASE_URL })[0]).toMatch(/^LATCHKEY_SECRET is missing/)
    expect(problems({ LATCHKEY_HOST: '0.0.0.0' })[0]).toMatch(/^LATCHKEY_SECRET is missing/)
    expect(problems({ LATCHKEY_DEMO: '0', APP_URL: 'https://id.example.com' })[0]).toMatch(
      /^LATCHKEY_SECRET is missing/,
    )
    expect(problems({ LATCHKEY_DEMO: '0' })).toEqual([])
  })

  it('demands https outside localhost unless explicitly allowed', () => {
    const source = { APP_URL: 'http://id.example.com', LATCHKEY_SECRET: SECRET }
    expect(problems(source)[0]).toMatch(/^APP_URL must begin with https/)
    expect(problems({ ...source, LATCHKEY_ALLOW_HTTP: '1' })).toEqual([])
    for (const host of ['localhost:8080', '127.0.0.1', '[::1]:3000'])
      expect(problems({ APP_URL: `http://${host}` })).toEqual([])
  })

  it('knows the platform whose headers name the client, and demands an address there', () => {
    const source = { DATABASE_URL, LATCHKEY_SECRET: SECRET, VERCEL: '1' }
    expect(problems(source)[0]).toMatch(/^APP_URL is missing/)
    expect(parseEnv({ ...source, APP_URL: 'https://id.example.com' }).platform).toBe('vercel')
    expect(parseEnv({}).platform).toBeUndefined()
  })

  describe('on Vercel', () => {
    const source = { DATABASE_URL, LATCHKEY_SECRET: SECRET, VERCEL: '1', APP_URL: 'https://id.example.com' }

    it('opens two connections in each process instead of ten, by default', () => {
      expect(parseEnv(source).databasePoolSize).toBe(2)
      expect(parseEnv({ ...source, VERCEL: undefined }).databasePoolSize).toBe(10)
      expect(parseEnv({ ...source, LATCHKEY_DATABASE_POOL: '5' }).databasePoolSize).toBe(5)
    })

    it('refuses a tenant file, which no function holds, and says what to do instead', () => {
      expect(problems({ ...source, LATCHKEY_CONFIG: 'tenant.yaml' })).toEqual([
        expect.stringMatching(/^LATCHKEY_CONFIG is not read on Vercel.*npm run tenant -- apply/),
      ])
    })
  })

  it('refuses an unknown LATCHKEY_ name and says which', () => {
    expect(problems({ LATCHKEY_SECRETS: SECRET })).toEqual([
      expect.stringMatching(/^LATCHKEY_SECRETS is not a setting/),
    ])
  })

  it('names an unknown and a malformed variable together', () => {
    expect(problems({ LATCHKEY_X: '1', PORT: 'http' })).toHaveLength(2)
  })

  it.each([
    ['APP_URL', 'id.example.com'],
    ['APP_URL', 'ftp://id.example.com'],
    ['APP_URL', 'https://id.example.com/path'],
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['DATABASE_URL', 'mysql://db/latchkey'],
    ['REDIS_URL', 'localhost:6379'],
    ['REDIS_URL', 'redis+sentinel://localhost'],
    ['SMTP_URL', 'mail.example.com'],
    ['SMTP_FROM', 'nobody'],
    ['SMTP_FROM', 'a@example.com\r\nBcc: b@example.com'],
    ['LATCHKEY_SECRET', 'short'],
    ['LATCHKEY_HOST', 'everywhere'],
    ['LATCHKEY_TRUSTED_PROXIES', '10.0.0.0/8,proxy.internal'],
    ['LATCHKEY_FINGERPRINT_HEADERS', 'x-ja4'],
    ['LATCHKEY_FINGERPRINT_HEADERS', 'ja4=x-ja4'],
    ['LATCHKEY_FORWARDING_HEADER', 'x-real-ip'],
    ['LATCHKEY_FORWARDING_HEADER', 'forwarded,x-forwarded-for'],
    ['LATCHKEY_ALLOW_HTTP', 'yes'],
    ['LATCHKEY_VENDOR_HOST', 'https://auth0.com'],
    ['LATCHKEY_LOG_LEVEL', 'loud'],
    ['LATCHKEY_DATABASE_POOL', '1'],
    ['LATCHKEY_MIGRATE', 'no'],
    ['LATCHKEY_WORKERS', '0'],
    ['LATCHKEY_WORKERS', 'many'],
    ['LATCHKEY_KEEP_DAYS', '0'],
    ['LATCHKEY_ACTION_REQUEST_ID', 'Host'],
    ['LATCHKEY_ACTION_REQUEST_ID', 'Authorization'],
    ['LATCHKEY_ACTION_REQUEST_ID', 'X-Latchkey-Action'],
    ['LATCHKEY_ACTION_REQUEST_ID', 'X Request Id'],
  ])('refuses %s=%s and names it without repeating the value', (name, value) => {
    const found = problems({ [name]: value })
    expect(found[0]).toMatch(new RegExp(`^${name} `))
    if (name === 'LATCHKEY_SECRET') expect(found.join()).not.toContain(value)
  })

  it('has several workers only with a database of its own, and only if the setting says so', () => {
    expect(problems({ LATCHKEY_WORKERS: '2' })).toEqual([expect.stringMatching(/^LATCHKEY_WORKERS needs DATABASE_URL/)])
    expect(problems({ LATCHKEY_WORKERS: 'auto' })).toEqual([expect.stringMatching(/^LATCHKEY_WORKERS needs/)])
    expect(parseEnv({ LATCHKEY_WORKERS: '1' }).workers).toBe(1)
    const database = { DATABASE_URL: 'postgresql://localhost/latchkey', LATCHKEY_SECRET: 'x'.repeat(32) }
    expect(parseEnv(database).workers).toBeUndefined()
    expect(parseEnv({ ...database, LATCHKEY_WORKERS: 'auto' }).workers).toBe('auto')
    expect(parseEnv({ ...database, LATCHKEY_WORKERS: '3' }).workers).toBe(3)
  })

  it('wants SMTP address and sender together', () => {
    expect(problems({ SMTP_URL: 'smtp://mail:25' })[0]).toMatch(/SMTP_FROM/)
    expect(parseEnv({ SMTP_URL: 'smtp://mail:25', SMTP_FROM: 'Acme <id@acme.test>' }).smtp?.url).toBe('smtp://mail:25')
  })

  it('reads proxies as a list', () => {
    const behind = { LATCHKEY_TRUSTED_PROXIES: '::1', LATCHKEY_FINGERPRINT_HEADERS: 'JA4=X-JA4, ja3=x-ja3' }
    expect(parseEnv(behind).fingerprintHeaders).toEqual({ ja4: 'x-ja4', ja3: 'x-ja3' })
    expect(parseEnv({ LATCHKEY_TRUSTED_PROXIES: '10.0.0.0/8, ::1' }).trustedProxies).toEqual(['10.0.0.0/8', '::1'])
  })

  it('refuses a schema of DATABASE_URL behind a pooler in transaction mode', () => {
    const source = { DATABASE_URL: `${DATABASE_URL}?schema=auth`, LATCHKEY_SECRET: SECRET }
    expect(problems(source)).toEqual([])
    expect(problems({ ...source, LATCHKEY_DATABASE_POOLED: '1' })).toEqual([
      expect.stringMatching(/^DATABASE_URL has a schema, which a pooler/),
    ])
  })

  it('follows the proxy of the environment only where the setting says so', () => {
    const proxy = { HTTPS_PROXY: 'http://user:hidden@proxy.test:3128', no_proxy: '.svc' }
    expect(parseEnv(proxy).outboundProxy).toBeUndefined()
    expect(parseEnv({ HTTPS_PROXY: 'socks5://proxy.test' }).outboundProxy).toBeUndefined()
    const followed = parseEnv({ ...proxy, LATCHKEY_OUTBOUND_PROXY: '1' }).outboundProxy
    expect(followed).toMatchObject({ https: `${proxy.HTTPS_PROXY}/`, exceptions: ['.svc'], resolves: false })
    const resolving = { ...proxy, LATCHKEY_OUTBOUND_PROXY: '1', LATCHKEY_OUTBOUND_PROXY_RESOLVES: 'always' }
    expect(parseEnv(resolving).outboundProxy?.resolves).toBe('always')
    expect(problems({ ...resolving, LATCHKEY_OUTBOUND_PROXY_RESOLVES: 'never' })[0]).toMatch(/must be 0, 1 or always/)
    const found = problems({ HTTPS_PROXY: 'socks5://user:hidden@proxy.test', LATCHKEY_OUTBOUND_PROXY: '1' })
    expect(found).toEqual([expect.stringMatching(/^HTTPS_PROXY must be a proxy/)])
    expect(found.join()).not.toContain('hidden')
    expect(problems({ LATCHKEY_OUTBOUND_PROXY: '1' })).toEqual([
      expect.stringMatching(/^LATCHKEY_OUTBOUND_PROXY needs HTTPS_PROXY/),
    ])
  })

  it('reads one forwarding header, X-Forwarded-For by default', () => {
    expect(parseEnv({}).forwardingHeader).toBe('x-forwarded-for')
    expect(parseEnv({ LATCHKEY_FORWARDING_HEADER: 'Forwarded' }).forwardingHeader).toBe('forwarded')
  })
})
