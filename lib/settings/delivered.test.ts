import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { appUrlOf } from './app-url'
import { EnvError, parseEnv } from './env'

const SECRET = 's'.repeat(32)
const HTTPS = { APP_URL: 'https://id.example.com', LATCHKEY_SECRET: SECRET }

function problems(source: Record<string, string>): readonly string[] {
  try {
    parseEnv(source)
  } catch (error) {
    if (error instanceof EnvError) return error.problems
    throw error
  }
  return []
}

/** What a pod's environment has for a Service: https://kubernetes.io/docs/concepts/services-networking/service/ */
const service = (
  name: string,
  ip: string,
  port: number,
  protocol = 'tcp',
  portName = 'http',
): Record<string, string> => {
  const prefix = name.toUpperCase().replaceAll('-', '_')
  const address = `${protocol}://${ip.includes(':') ? `[${ip}]` : ip}:${port}`
  const link = `${prefix}_PORT_${port}_${protocol.toUpperCase()}`
  return {
    [`${prefix}_SERVICE_HOST`]: ip,
    [`${prefix}_SERVICE_PORT`]: String(port),
    [`${prefix}_SERVICE_PORT_${portName.toUpperCase().replaceAll('-', '_')}`]: String(port),
    [`${prefix}_PORT`]: address,
    [link]: address,
    [`${link}_PROTO`]: protocol,
    [`${link}_PORT`]: String(port),
    [`${link}_ADDR`]: ip,
  }
}

describe('what Kubernetes injects', () => {
  it.each([
    ['latchkey', '10.0.0.1', 3000, 'tcp'],
    ['latchkey', 'fd00::1', 3000, 'tcp'],
    ['latchkey-db', '10.0.0.2', 5432, 'tcp'],
    ['latchkey-secret', '10.0.0.3', 443, 'tcp'],
    ['latchkey-2', '10.0.0.4', 53, 'udp'],
    ['latchkey-x', '10.0.0.5', 9899, 'sctp'],
    ['latchkey-service-port', '10.0.0.6', 1, 'tcp'],
    ['latchkey-port-80-tcp', '10.0.0.7', 80, 'tcp'],
  ])('is no setting: a Service named %s at %s', (name, ip, port, protocol) => {
    const injected = service(name, ip, port, protocol, 'web-1')
    expect(parseEnv({ ...HTTPS, ...injected })).toEqual(parseEnv(HTTPS))
  })

  it('may come without brackets around an address of IPv6', () => {
    expect(problems({ ...HTTPS, LATCHKEY_PORT: 'tcp://fd00::1:3000' })).toEqual([])
  })

  it.each([
    ['LATCHKEY_PORT', '3000'],
    ['LATCHKEY_PORT', 'tcp://latchkey:3000'],
    ['LATCHKEY_PORT', 'http://10.0.0.1:3000'],
    ['LATCHKEY_PORT', 'tcp://10.0.0.1:0'],
    ['LATCHKEY_PORT', 'tcp://10.0.0.1'],
    ['LATCHKEY_SERVICE_HOST', 'latchkey.default.svc'],
    ['LATCHKEY_SERVICE_PORT', 'http'],
    ['LATCHKEY_SERVICE_PORT', '70000'],
    ['LATCHKEY_PORT_3000_TCP', 'tcp://10.0.0.1:3001'],
    ['LATCHKEY_PORT_3000_TCP', 'udp://10.0.0.1:3000'],
    ['LATCHKEY_PORT_3000_TCP_PROTO', 'http'],
    ['LATCHKEY_PORT_3000_TCP_PROTO', 'udp'],
    ['LATCHKEY_PORT_3000_TCP_PORT', '3001'],
    ['LATCHKEY_PORT_3000_HTTP', 'tcp://10.0.0.1:3000'],
    ['LATCHKEY_SERVICE_HOSTS', '10.0.0.1'],
    ['latchkey_secret', SECRET],
    ['LATCHKEY_PORT_3000_TCP_ADDR', 'localhost'],
    ['LATCHKEY_PORT_3000_TCP_PORT', 'tcp'],
    ['LATCHKEY_HOSTS', '10.0.0.1'],
    ['LATCHKEY_SECRETS', 'tcp://10.0.0.1:3000'],
  ])('is not every name of that kind: %s=%s stays refused', (name, value) => {
    expect(problems({ ...HTTPS, [name]: value })).toEqual([expect.stringMatching(`^${name} is not a setting`)])
  })
})

describe('a value in a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'settings-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const file = (name: string, content: string): string => {
    writeFileSync(join(folder, name), content)
    return join(folder, name)
  }
  const { LATCHKEY_SECRET: _, ...withoutSecret } = HTTPS

  it('is read where NAME_FILE names it', () => {
    const given = { LATCHKEY_SECRET_FILE: file('secret', SECRET), LATCHKEY_SECRET: '', REDIS_URL_FILE: '' }
    expect(parseEnv({ ...withoutSecret, ...given })).toEqual(parseEnv(HTTPS))
    const url = 'postgresql://u:p@db/latchkey'
    expect(parseEnv({ ...HTTPS, DATABASE_URL_FILE: `${file('url', `${url}\n`)}\n` }).databaseUrl).toBe(url)
  })

  it.each([
    ['both', { LATCHKEY_SECRET_FILE: file('other', SECRET) }, /^LATCHKEY_SECRET_FILE and LATCHKEY_SECRET are both/],
    ['an absent file', { SMTP_URL_FILE: join(folder, 'absent') }, /^SMTP_URL_FILE must name a file/],
    ['a folder', { SMTP_URL_FILE: folder }, /^SMTP_URL_FILE must name a file/],
    ['an empty file', { DATABASE_URL_FILE: file('empty', '\n') }, /^DATABASE_URL_FILE must name a file/],
    ['a setting that is no secret', { APP_URL_FILE: file('app', 'x') }, /^APP_URL_FILE is not read/],
    ['an unknown setting', { LATCHKEY_X_FILE: file('x', 'x') }, /^LATCHKEY_X_FILE is not a setting/],
    ['a malformed value', { REDIS_URL_FILE: file('redis', 'localhost') }, /^REDIS_URL must be/],
    ['a reference', { REDIS_URL_FILE: file('reference', 'op://vault/redis') }, /^REDIS_URL holds a reference/],
  ])('is refused by name: %s', (_what, given, expected) => {
    expect(problems({ ...HTTPS, ...given })[0]).toMatch(expected)
  })
})

describe('a value', () => {
  it.each([
    ['a line break at its end', 'https://id.example.com\n'],
    ['a line end of Windows', 'https://id.example.com\r\n'],
    ['blanks around it', '  https://id.example.com\t'],
    ['a byte order mark', '\uFEFFhttps://id.example.com'],
    ['double quotes of an --env-file', '"https://id.example.com"'],
    ['single quotes and a line end', "'https://id.example.com'\r"],
  ])('is the same with %s', (_what, given) => {
    expect(parseEnv({ ...HTTPS, APP_URL: given }).appUrl).toBe('https://id.example.com')
    expect(appUrlOf({ APP_URL: given })).toBe('https://id.example.com')
  })

  it('is found behind the byte order mark of its file', () => {
    expect(parseEnv({ '\ufeffPORT': '4001' }).port).toBe(4001)
    expect(problems({ '\ufeffLATCHKEY_X': '1' })).toHaveLength(1)
  })

  it.each([
    ['DATABASE_URL', 'postgresql://u:$(DB_PASSWORD)@db/latchkey'],
    ['APP_URL', `https://\${HOST}`],
  ])('with a variable that was not replaced inside is refused by name: %s=%s', (name, value) => {
    expect(problems({ ...HTTPS, [name]: value })[0]).toBe(
      `${name} holds a reference that was not replaced by its value.`,
    )
  })

  it('is taken so whatever it is for', () => {
    const env = parseEnv({
      ...HTTPS,
      PORT: '4001\n',
      LATCHKEY_LOG_LEVEL: '"WARN"',
      LATCHKEY_STOP_DELAY: ' 5 ',
      LATCHKEY_TRUSTED_PROXIES: '"10.0.0.0/8, ::1"\n',
      LATCHKEY_MIGRATE: 'False',
      LATCHKEY_HSTS_SUBDOMAINS: 'true\n',
      LATCHKEY_DATA_DIR: ' /data ',
    })
    expect(env).toMatchObject({ port: 4001, logLevel: 'warn', stopDelay: 5, trustedProxies: ['10.0.0.0/8', '::1'] })
    expect(env).toMatchObject({ migrateOnStart: false, hstsSubdomains: true, dataDir: '/data' })
    expect(appUrlOf({ PORT: '4001\n' })).toBe('http://localhost:4001')
  })

  it.each(['', '  ', '\n', '""', "' '"])('a blank value (%j) is not set', (blank) => {
    expect(
      parseEnv({ ...HTTPS, PORT: blank, REDIS_URL: blank, LATCHKEY_DEMO: blank, LATCHKEY_UNKNOWN: blank }),
    ).toEqual(parseEnv(HTTPS))
    expect(problems({ APP_URL: HTTPS.APP_URL, LATCHKEY_SECRET: blank })[0]).toMatch(/^LATCHKEY_SECRET is missing/)
  })

  it('of a secret counts without what is around it', () => {
    const short = `"${'s'.repeat(31)}"\n`
    expect(problems({ ...HTTPS, LATCHKEY_SECRET: short })).toEqual([
      'LATCHKEY_SECRET must be at least 32 characters long.',
    ])
  })

  it.each([
    `\${LATCHKEY_SECRET_OF_PRODUCTION_FROM_VAULT}`,
    '$(kubectl get secret latchkey -o jsonpath)',
    '{{ .Values.latchkey.secret.of.production }}',
    '@Microsoft.KeyVault(SecretUri=https://acme.vault.azure.net/secrets/latchkey)',
    'vault:secret/data/latchkey/production#LATCHKEY_SECRET',
    'op://production/latchkey/the-secret-of-latchkey',
    'arn:aws:secretsmanager:eu-central-1:1:secret:latchkey',
    'ref+awssecrets://latchkey/production#LATCHKEY_SECRET',
    'projects/acme-production/secrets/latchkey/versions/latest',
  ])('a reference is refused by the name of its setting, and not repeated: %s', (reference) => {
    for (const name of ['LATCHKEY_SECRET', 'LATCHKEY_NEW_SECRET', 'LATCHKEY_OPERATOR_TOKEN', 'LATCHKEY_CONFIG']) {
      const found = problems({ ...HTTPS, [name]: reference })
      expect(found).toEqual([`${name} holds a reference that was not replaced by its value.`])
    }
    expect(problems({ ...HTTPS, DATABASE_URL: reference })[0]).toMatch(/^DATABASE_URL holds a reference/)
  })

  it('the whole JSON of a secret store is refused by the name of its setting', () => {
    const json = JSON.stringify({ LATCHKEY_SECRET: SECRET, DATABASE_URL: 'postgresql://db/latchkey' })
    expect(problems({ ...HTTPS, LATCHKEY_SECRET: json })).toEqual([
      'LATCHKEY_SECRET holds a JSON object: give it one value of that object.',
    ])
  })

  it.each([
    ['DATABASE_URL', 'postgresql://u:p@db:5432/\nlatchkey'],
    ['DATABASE_URL', 'jdbc:postgresql://db/latchkey'],
    ['DATABASE_URL', "psql 'postgresql://db/latchkey'"],
    ['DATABASE_URL', 'DATABASE_URL=postgresql://db/latchkey'],
    ['APP_URL', 'https://id.example.com https://id2.example.com'],
    ['PORT', '3e3'],
    ['LATCHKEY_MIGRATE', 'on'],
  ])('a value that was wrapped or taken badly is refused by the name of its setting: %s=%j', (name, value) => {
    expect(problems({ ...HTTPS, [name]: value })).toEqual([expect.stringMatching(`^${name} must be`)])
  })
})
