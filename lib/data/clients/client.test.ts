import { describe, expect, it } from 'vitest'
import { originOf } from '../../kernel/origin'
import { sampleClient } from '../../testing/samples'
import { clientSettings, toClient, writtenUrls } from './client'
import { registeredOrigins } from './origins'
import { matchLogoutUrl, matchRedirectUri } from './registered-urls'

const redirects = (registered: string, app_type: 'spa' | 'native' = 'spa') => {
  const client = sampleClient({ app_type, callbacks: [registered] })
  return (uri: string) => matchRedirectUri(client, uri)
}

describe('a redirect URI matches as an exact string (RFC 9700 2.1)', () => {
  const matches = redirects('https://app.test/cb?x=1')

  it('a registered redirect URI is admitted', () => {
    expect(matches('https://app.test/cb?x=1')).toBe(true)
  })

  it.each([
    ['a prefix', 'https://app.test/cb?x='],
    ['a longer path', 'https://app.test/cb?x=1/evil'],
    ['another query', 'https://app.test/cb?x=2'],
    ['a further parameter', 'https://app.test/cb?x=1&y=2'],
    ['no query', 'https://app.test/cb'],
    ['a fragment', 'https://app.test/cb?x=1#f'],
    ['a trailing slash', 'https://app.test/cb/?x=1'],
    ['another case of the host', 'https://APP.test/cb?x=1'],
    ['another case of the path', 'https://app.test/CB?x=1'],
    ['another scheme', 'http://app.test/cb?x=1'],
    ['a default port', 'https://app.test:443/cb?x=1'],
    ['path traversal', 'https://app.test/a/../cb?x=1'],
    ['encoded path traversal', 'https://app.test/%2e%2e/cb?x=1'],
    ['an encoded character', 'https://app.test/%63b?x=1'],
    ['user info', 'https://app.test@evil.test/cb?x=1'],
    ['a sub-domain', 'https://evil.app.test/cb?x=1'],
    ['a longer domain', 'https://app.test.evil.test/cb?x=1'],
    ['a backslash', 'https://app.test\\@evil.test/cb?x=1'],
    ['a space before it', ' https://app.test/cb?x=1'],
    ['a line break after it', 'https://app.test/cb?x=1\n'],
    ['a NUL after it', 'https://app.test/cb?x=1\0'],
    ['nothing', ''],
  ])('a redirect URI is refused: %s', (_name, uri) => {
    expect(matches(uri)).toBe(false)
  })
})

describe('a star with text around it stands for a part of the label', () => {
  it.each([
    ['https://shop-*-team.example.com/cb', 'https://shop-git-main-team.example.com/cb'],
    ['https://shop-*-team.example.com/cb', 'https://shop-1-team.example.com/cb'],
    ['https://a*.app.test/cb', 'https://ab.app.test/cb'],
    ['https://*a.app.test/cb?x=1', 'https://ba.app.test/cb?x=1'],
    ['http://pr-*.app.localhost:3000', 'http://pr-7.app.localhost:3000'],
    ['http://*.localhost:3000/cb', 'http://acme.localhost:3000/cb'],
    ['https://*.app.test?x=1', 'https://a.app.test?x=1'],
  ])('the pattern %s admits %s', (registered, uri) => {
    expect(redirects(registered)(uri)).toBe(true)
  })

  it.each([
    ['nothing in its place', 'https://shop--team.example.com/cb'],
    ['the text around it, overlapping', 'https://shop-team.example.com/cb'],
    ['another beginning', 'https://chop-1-team.example.com/cb'],
    ['another end', 'https://shop-1-teams.example.com/cb'],
    ['two labels', 'https://shop-1.2-team.example.com/cb'],
    ['a label before it', 'https://evil.shop-1-team.example.com/cb'],
    ['user info', 'https://shop-1@evil-team.example.com/cb'],
    ['a path in its place', 'https://shop-evil.test/-team.example.com/cb'],
    ['a longer domain', 'https://shop-1-team.example.com.evil.test/cb'],
    ['another case of the text', 'https://SHOP-1-team.example.com/cb'],
    ['a label of 64 characters', `https://shop-${'a'.repeat(54)}-team.example.com/cb`],
    ['the pattern itself', 'https://shop-*-team.example.com/cb'],
    ['another path', 'https://shop-1-team.example.com/cb/'],
  ])('a star with text around it does not stand for %s', (_name, uri) => {
    expect(redirects('https://shop-*-team.example.com/cb')(uri)).toBe(false)
  })

  it('counts in a logout URL', () => {
    expect(matchLogoutUrl(['https://shop-*-team.example.com/bye'], 'https://shop-1-team.EXAMPLE.com/bye?x=1')).toBe(
      true,
    )
    expect(matchLogoutUrl(['https://shop-*-team.example.com/bye'], 'https://shop-team.example.com/bye')).toBe(false)
  })
})

describe('{organization_name} stands for the organization of the request', () => {
  const client = sampleClient({ callbacks: ['https://{organization_name}.app.test/cb'] })

  it('{organization_name} admits the name of the organization', () => {
    expect(matchRedirectUri(client, 'https://acme.app.test/cb', 'acme')).toBe(true)
    expect(matchRedirectUri(client, 'https://my_org-1.app.test/cb', 'my_org-1')).toBe(true)
  })

  it.each([
    ['another organization', 'https://acme.app.test/cb', 'other'],
    ['no organization', 'https://acme.app.test/cb', null],
    ['the placeholder itself', 'https://{organization_name}.app.test/cb', '{organization_name}'],
    ['another case', 'https://ACME.app.test/cb', 'acme'],
    ['two labels', 'https://a.acme.app.test/cb', 'a.acme'],
    ['another path', 'https://acme.app.test/cb/x', 'acme'],
  ])('{organization_name} does not admit %s', (_name, uri, organization) => {
    expect(matchRedirectUri(client, uri, organization)).toBe(false)
  })
})

const MEMBERS = ['callbacks', 'allowed_logout_urls', 'web_origins', 'allowed_origins'] as const

describe('what can match nothing cannot be written', () => {
  const ORGANIZATION = 'https://{organization_name}.app.test'
  const takes = (member: (typeof MEMBERS)[number], value: string) => writtenUrls[member].safeParse([value]).success

  it.each([
    'https://*.app.test',
    'https://shop-*-team.example.com',
    'https://pr-*.app.test:8443',
    'http://*.localhost:3000',
    'https://app.test',
  ])('the address %s can be registered', (value) => {
    for (const member of MEMBERS) expect([member, takes(member, value)]).toEqual([member, true])
  })

  it.each(['https://app.test/', 'https://app.test:8443/login', 'capacitor://localhost/'])(
    '%s can be an origin, which it matches by',
    async (value) => {
      for (const member of ['web_origins', 'allowed_origins'] as const) {
        expect([member, takes(member, value)]).toEqual([member, true])
        expect(registeredOrigins(sampleClient({ [member]: [value] }))).toEqual([originOf(value)])
      }
    },
  )

  it('{organization_name} can, in callbacks and allowed origins', () => {
    expect(MEMBERS.filter((member) => takes(member, ORGANIZATION))).toEqual(['callbacks', 'allowed_origins'])
  })

  it.each([
    'https://*',
    'https://*.com',
    'https://*.com./',
    'https://*.com.:443',
    'https://sub.*.example.com',
    'https://app.*',
    'https://*.*.example.com',
    'https://**.example.com',
    'https://a*b*.example.com',
    'https://-*.example.com',
    'https://*-.example.com',
    'https://*.example.com:*',
    'https://{organization_name}',
    'https://{organization_name}.com',
    'https://sub.{organization_name}.example.com',
    'https://prefix-{organization_name}.example.com',
    'https://{organization_name}.{organization_name}.example.com',
    'https://{organization_name}.*.example.com',
    'https://*.{organization_name}.example.com',
    'https://{organization_id}.example.com',
    'https://{custom_domain.metadata.public_app}.example.com',
    'https://a{b.example.com',
    'com.example.app://*',
    'com.example.app://{organization_name}.example.com',
  ])('the address %s cannot be registered', (value) => {
    for (const member of MEMBERS) expect([member, takes(member, value)]).toEqual([member, false])
  })

  it.each([
    'https://app.test/*',
    'https://app.test/cb?x=*',
    'https://app.test/{organization_name}',
    'https://{ORGANIZATION_NAME}.example.com',
    'https://*.app.test/{id}/cb',
    'com.example.app:/cb/*',
    'intent://app.test/#Intent;end',
    'intent:app',
    'about:blank',
    'INTENT:x',
    'view-source:https://app.test',
  ])('a member that takes whole URLs refuses %s', (value) => {
    for (const member of ['callbacks', 'allowed_logout_urls'] as const) expect(takes(member, value)).toBe(false)
  })

  it('an address that matches nothing is still read from records of earlier versions', () => {
    expect(clientSettings.safeParse({ callbacks: ['https://sub.*.example.com/cb', 'intent:app'] }).success).toBe(true)
  })
})

describe('a star stands for one whole label of a sub-domain', () => {
  const matches = redirects('https://*.app.test/cb')

  it.each(['https://a.app.test/cb', 'https://pr-12.app.test/cb', 'https://A1.app.test/cb'])(
    'a star for one whole label admits %s',
    (uri) => {
      expect(matches(uri)).toBe(true)
    },
  )

  it.each([
    ['two labels', 'https://a.b.app.test/cb'],
    ['no label', 'https://.app.test/cb'],
    ['the domain itself', 'https://app.test/cb'],
    ['another domain with the same end', 'https://evilapp.test/cb'],
    ['a path in place of the label', 'https://evil.test/.app.test/cb'],
    ['a query in place of the label', 'https://evil.test?.app.test/cb'],
    ['a fragment in place of the label', 'https://evil.test#.app.test/cb'],
    ['user info in place of the label', 'https://evil.test@a.app.test/cb'],
    ['a port in place of the label', 'https://evil.test:1.app.test/cb'],
    ['a backslash in place of the label', 'https://evil.test\\.app.test/cb'],
    ['a percent sign in the label', 'https://a%2f.app.test/cb'],
    ['a label that begins with a hyphen', 'https://-a.app.test/cb'],
    ['a label of 64 characters', `https://${'a'.repeat(64)}.app.test/cb`],
    ['the pattern itself', 'https://*.app.test/cb'],
    ['another path', 'https://a.app.test/cb/more'],
    ['another scheme', 'http://a.app.test/cb'],
    ['another port', 'https://a.app.test:8443/cb'],
    ['another domain', 'https://a.app.test.evil.test/cb'],
  ])('a star for one whole label does not admit %s', (_name, uri) => {
    expect(matches(uri)).toBe(false)
  })

  it.each([
    ['a registrable domain', 'https://*.test/cb', 'https://evil.test/cb'],
    ['a label in the middle', 'https://a.*.app.test/cb', 'https://a.b.app.test/cb'],
    ['two labels', 'https://*.*.app.test/cb', 'https://a.b.app.test/cb'],
    ['a path', 'https://app.test/*', 'https://app.test/cb'],
    ['any host', 'https://*/cb', 'https://evil.test/cb'],
    ['a scheme of its own', 'myapp://*.app.test/cb', 'myapp://a.app.test/cb'],
  ])('a star never stands for %s', (_name, registered, uri) => {
    expect(redirects(registered)(uri)).toBe(false)
  })
})

describe('a native app on loopback matches on any port (RFC 8252 7.3)', () => {
  it.each([
    ['http://127.0.0.1/cb', 'http://127.0.0.1:49152/cb'],
    ['http://127.0.0.1:3000/cb', 'http://127.0.0.1:49152/cb'],
    ['http://127.0.0.1:3000/cb', 'http://127.0.0.1/cb'],
    ['http://[::1]/cb', 'http://[::1]:49152/cb'],
    ['http://localhost/cb', 'http://localhost:49152/cb'],
    ['http://localhost:3000/cb?x=1', 'http://localhost:49152/cb?x=1'],
    ['http://127.0.0.1/', 'http://127.0.0.1:33418/'],
    ['http://localhost', 'http://localhost:3000'],
  ])('the loopback address %s admits %s', (registered, uri) => {
    expect(redirects(registered, 'native')(uri)).toBe(true)
    expect(redirects(registered, 'spa')(uri)).toBe(false)
  })

  it.each([
    ['another path', 'http://127.0.0.1/cb', 'http://127.0.0.1:1/other'],
    ['another query', 'http://127.0.0.1/cb', 'http://127.0.0.1:1/cb?x=1'],
    ['another loopback address', 'http://127.0.0.1/cb', 'http://127.0.0.2:1/cb'],
    ['the other family', 'http://127.0.0.1/cb', 'http://[::1]:1/cb'],
    ['localhost for an address', 'http://127.0.0.1/cb', 'http://localhost:1/cb'],
    ['a host that begins like localhost', 'http://localhost/cb', 'http://localhost.evil.test:1/cb'],
    ['a host of localhost', 'http://localhost/cb', 'http://a.localhost:1/cb'],
    ['https', 'https://127.0.0.1/cb', 'https://127.0.0.1:1/cb'],
    ['user info', 'http://127.0.0.1/cb', 'http://127.0.0.1:1@evil.test/cb'],
    ['a host that begins like one', 'http://127.0.0.1/cb', 'http://127.0.0.1.evil.test/cb'],
    ['a fragment', 'http://127.0.0.1/cb', 'http://127.0.0.1:1/cb#f'],
    ['a port that is no number', 'http://127.0.0.1/cb', 'http://127.0.0.1:/cb'],
    ['a port that cannot exist', 'http://127.0.0.1/cb', 'http://127.0.0.1:99999/cb'],
    ['an address that is not loopback', 'http://10.0.0.1/cb', 'http://10.0.0.1:1/cb'],
  ])('another port is admitted, but not %s', (_name, registered, uri) => {
    expect(redirects(registered, 'native')(uri)).toBe(false)
  })
})

describe('a logout URL is compared without query and fragment', () => {
  const matches = (url: string) =>
    matchLogoutUrl(['https://app.test/Bye', 'https://*.Sub.test/out', 'myapp://bye'], url)

  it.each([
    'https://app.test/Bye',
    'https://app.test/Bye?reason=idle&x=%20',
    'https://app.test/Bye#top',
    'HTTPS://APP.test/Bye',
    'https://app.test:443/Bye',
    'https://a.sub.test/out?x=1',
    'https://a.SUB.test/out',
    'myapp://bye?x=1',
  ])('the logout URL %s is admitted', (url) => {
    expect(matches(url)).toBe(true)
  })

  it.each([
    ['another case of the path', 'https://app.test/bye'],
    ['a longer path', 'https://app.test/Bye/more'],
    ['a prefix', 'https://app.test/By'],
    ['another scheme', 'http://app.test/Bye'],
    ['another port', 'https://app.test:8443/Bye'],
    ['user info', 'https://kim@app.test/Bye'],
    ['user info with a star', 'https://*@evil.test/Bye'],
    ['a password', 'https://:pw@app.test/Bye'],
    ['a longer domain', 'https://app.test.evil.test/Bye'],
    ['a scheme-relative URL', '//app.test/Bye'],
    ['a relative URL', '/Bye'],
    ['two labels for the star', 'https://a.b.sub.test/out'],
    ['the pattern itself', 'https://*.sub.test/out'],
    ['a line break, which a URL parser would drop', 'https://app.test/B\nye'],
    ['a tab, which a URL parser would drop', 'https://app\t.test/Bye'],
    ['a space before it', ' https://app.test/Bye'],
    ['a backslash', 'https:\\\\app.test\\Bye'],
    ['a script', 'javascript:alert(1)//https://app.test/Bye'],
    ['nothing', ''],
  ])('a logout URL is refused: %s', (_name, url) => {
    expect(matches(url)).toBe(false)
  })

  it('every logout URL is refused where nothing is registered', () => {
    expect(matchLogoutUrl([], 'https://app.test/Bye')).toBe(false)
  })
})

describe('addresses that may be registered', () => {
  it.each([
    'https://app.test/cb',
    'http://localhost:3000',
    'myapp://cb',
    'com.example.app:/cb',
    'https://*.app.test/cb',
  ])('the callback %s can be registered', (uri) => {
    expect(clientSettings.safeParse({ callbacks: [uri] }).success).toBe(true)
  })

  it.each([
    'https://app.test/cb#fragment',
    'https://app.test/cb#',
    'https://user@app.test/cb',
    'https://:password@app.test/cb',
    '/cb',
    'app.test/cb',
    '',
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://app.test/x',
    'https://app.test/c\tb',
    'https://app.test/c\nb',
  ])('the callback %j cannot be registered', (uri) => {
    expect(clientSettings.safeParse({ callbacks: [uri] }).success).toBe(false)
    expect(clientSettings.safeParse({ allowed_logout_urls: [uri] }).success).toBe(false)
  })
})

describe('what follows from the kind of application', () => {
  it.each([
    ['spa', 'none', ['authorization_code', 'refresh_token']],
    ['native', 'none', ['authorization_code', 'refresh_token']],
    ['regular_web', 'client_secret_post', ['authorization_code', 'refresh_token']],
    ['non_interactive', 'client_secret_post', ['client_credentials']],
  ] as const)('a client of type %s has its authentication method and grants', (app_type, authMethod, grants) => {
    const client = sampleClient({ app_type })
    expect([client.authMethod, [...client.grantTypes]]).toEqual([authMethod, grants])
    expect(client.isPublic).toBe(authMethod === 'none')
  })

  it('is a first-party regular web application by default', () => {
    const { settings } = toClient({ clientId: 'a', name: 'A', secretDigest: null, settings: {} })
    expect([settings.app_type, settings.is_first_party]).toEqual(['regular_web', true])
  })

  it('never includes a grant that the record does not name', () => {
    expect([...sampleClient({ grant_types: [] }).grantTypes]).toEqual([])
  })
})

describe('refresh tokens', () => {
  it('of a public client rotate whatever the record says (RFC 9700 4.14.2)', () => {
    const refresh_token = { rotation_type: 'non-rotating' } as const
    expect(sampleClient({ app_type: 'spa', refresh_token }).refresh.rotating).toBe(true)
    expect(sampleClient({ app_type: 'regular_web', refresh_token }).refresh.rotating).toBe(false)
  })

  it('rotate, with 15 seconds of leeway, and end, when nothing is said', () => {
    expect(sampleClient().refresh).toEqual({
      rotating: true,
      leewaySeconds: 15,
      absoluteSeconds: 30 * 86400,
      idleSeconds: 15 * 86400,
    })
  })

  it.each([
    [{ expiration_type: 'non-expiring' } as const, null, null],
    [{ infinite_token_lifetime: true }, null, 15 * 86400],
    [{ infinite_idle_token_lifetime: true }, 30 * 86400, null],
  ])('end as the record says: %o', (refresh_token, absoluteSeconds, idleSeconds) => {
    expect(sampleClient({ refresh_token }).refresh).toMatchObject({ absoluteSeconds, idleSeconds })
  })
})
