import { describe, expect, it } from 'vitest'
import { sampleClient } from '../../testing/samples'
import { clientSettings } from './client'
import { admitsOrigin as admitsFor, loginOrigins, registeredOrigins } from './origins'

const client = sampleClient({
  cross_origin_authentication: true,
  callbacks: ['https://app.test/cb?x=1', 'https://app.test:8443/cb', 'https://*.preview.test/cb', 'myapp://cb'],
  web_origins: ['https://www.app.test/'],
  allowed_origins: ['http://localhost:3000', 'https://port.test:443/login'],
})
const ACME = { id: 'org_acme', name: 'acme', settings: {}, connections: {} }
const organizations = { findByName: async (name: string) => (name === 'acme' ? ACME : null) }
const admitsOrigin = (named: readonly string[], origin: string) => admitsFor(named, origin, { organizations })
const admitted = (origin: string) => admitsOrigin(loginOrigins(client), origin)

describe('an origin that may log users in', () => {
  it.each([
    'https://app.test',
    'https://app.test:8443',
    'https://www.app.test',
    'http://localhost:3000',
    'https://port.test',
    'https://a.preview.test',
  ])('may be %s', async (origin) => {
    expect(await admitted(origin)).toBe(true)
  })

  it.each([
    'null',
    '',
    'https://evil.test',
    'http://app.test',
    'https://app.test:9443',
    'https://app.test.evil.test',
    'https://evil-app.test',
    'https://preview.test',
    'https://a.b.preview.test',
    'https://*.preview.test',
    'https://app.test/',
    'https://app.test/cb',
    'HTTPS://APP.TEST',
    'https://kim@app.test',
    'https://app.test:443',
    'myapp://cb',
    'myapp://',
    'https://app.test, https://evil.test',
    'https://app.test\r\nx: y',
  ])('is never %j', async (origin) => {
    expect(await admitted(origin)).toBe(false)
  })
})

const APP_ORIGINS = [
  'capacitor://localhost',
  'ionic://localhost',
  'tauri://localhost:1420',
  'app://obsidian.md',
  'app://.',
  'chrome-extension://nkbihfbeogaeaoehlefnkodbefgpgknn',
  'moz-extension://2c127fa4-62c7-7e4f-90e5-472b45eecfdc',
  'safari-web-extension://B4A6C2F0-3D0E-4B8F-9C7A-0A1B2C3D4E5F',
]

describe('the origin of an app or an extension', () => {
  it.each(APP_ORIGINS)('may be named, and is compared exactly: %s', async (origin) => {
    for (const member of ['web_origins', 'allowed_origins']) {
      const named = registeredOrigins(sampleClient({ [member]: [origin] }))
      expect(await admitsOrigin(named, origin)).toBe(true)
      const [scheme, host = ''] = origin.split('://')
      const others = [
        `${origin}/`,
        `${origin}/index.html`,
        `${origin}:1`,
        `${origin}.evil`,
        `x${origin}`,
        `${scheme}://evil${host}`,
        `${scheme}://kim@${host}`,
        `${scheme?.toUpperCase()}://${host}`,
        `https://${host}`,
        'null',
        'file://',
        'data://localhost',
        'javascript://localhost',
        'blob:capacitor://localhost/1',
      ]
      for (const other of others) expect([other, await admitsOrigin(named, other)]).toEqual([other, false])
    }
  })

  it('may end in a slash where it is named', () => {
    expect(registeredOrigins(sampleClient({ web_origins: ['capacitor://localhost/'] }))).toEqual([
      'capacitor://localhost',
    ])
  })

  it('does not come from a callback that names an app and no page', () => {
    expect(registeredOrigins(sampleClient({ callbacks: ['capacitor://localhost', 'myapp://cb'] }))).toEqual([])
  })

  it.each([
    'null',
    'null://localhost',
    '*',
    'capacitor://*',
    'chrome-extension://*.x',
    'capacitor://',
    'capacitor:localhost',
    'capacitor://localhost/path',
    'capacitor://localhost?x',
    'capacitor://localhost#x',
    'capacitor://kim@localhost',
    'capacitor://localhost:port',
    'capacitor://local host',
    ' capacitor://localhost',
    'capacitor://localhost, https://evil.test',
    'Capacitor://localhost',
    'file://localhost',
    'file:///index.html',
    'data://localhost',
    'data:text/html,x',
    'javascript://localhost',
    'javascript:alert(1)',
    'vbscript://localhost',
    'blob://localhost',
    'blob:https://app.test/1',
    'about:blank',
    'about://blank',
    'filesystem://localhost',
    'view-source://localhost',
    'ws://localhost',
    'wss://localhost',
    'ftp://localhost',
  ])('is not %j', async (origin) => {
    for (const member of ['web_origins', 'allowed_origins'])
      expect(clientSettings.safeParse({ [member]: [origin] }).success).toBe(false)
    const named = registeredOrigins({
      settings: { ...sampleClient({}).settings, web_origins: [origin], allowed_origins: [origin] },
    })
    expect(await admitsOrigin(named, origin)).toBe(false)
  })
})

describe('an application', () => {
  const callbacks = ['https://app.test/cb']

  it('a third-party application has no login origins', () => {
    const third = sampleClient({ callbacks, cross_origin_authentication: true, is_first_party: false })
    expect(loginOrigins(third)).toEqual([])
  })

  it.each([{}, { cross_origin_authentication: false }])('an application with %j has no login origins', (settings) => {
    expect(loginOrigins(sampleClient({ callbacks, ...settings }))).toEqual([])
  })

  it('names each once', () => {
    const twice = sampleClient({
      cross_origin_authentication: true,
      callbacks: ['https://app.test/a', 'https://app.test/b'],
    })
    expect(loginOrigins(twice)).toEqual(['https://app.test'])
  })
})

describe('{organization_name} in an allowed origin', () => {
  const named = (organization_usage: 'allow' | 'require' | 'deny') =>
    registeredOrigins(
      sampleClient({
        organization_usage,
        allowed_origins: ['https://{organization_name}.app.test', 'https://app.test'],
      }),
    )

  it.each(['allow', 'require'] as const)('is the name of an organization of the tenant: %s', async (usage) => {
    expect(await admitsOrigin(named(usage), 'https://acme.app.test')).toBe(true)
    for (const other of ['other', '{organization_name}', 'a.acme', '*', 'ACME'])
      expect([other, await admitsOrigin(named(usage), `https://${other}.app.test`)]).toEqual([other, false])
  })

  it('counts only where the client has organizations', async () => {
    expect(await admitsOrigin(named('deny'), 'https://acme.app.test')).toBe(false)
    expect(await admitsOrigin(named('deny'), 'https://app.test')).toBe(true)
  })
})
