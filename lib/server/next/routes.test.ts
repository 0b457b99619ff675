// One route of Next's answers every path of the endpoint table; its pages come first. Below `/u` two folders with a parameter answer
// everything, and the proxy chooses between them.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
// Next's own modules expect what its server sets first.
import 'next/dist/server/node-environment-baseline'
import { unstable_doesMiddlewareMatch as doesProxyMatch } from 'next/experimental/testing/server'
import { NextRequest } from 'next/server'
import { describe, expect, it } from 'vitest'
import { config, proxy } from '../../../proxy'
import { METHODS } from '../../http/endpoint'
import { NOWHERE } from '../../http/target'
import { LOGIN_SCREENS, screenPath } from '../../pages/screens'
import { screens } from '../endpoints/hosted/screens'
import { ENDPOINTS } from '../endpoints/index'
import { locate } from './locate'
import { PAGE_CHECK } from './page-paths'
import { ADDRESS, isBelowU } from './screen-address'

const SCREENS = LOGIN_SCREENS.map(screenPath)

const filesCalled = (name: string): string[] =>
  readdirSync('app', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith(name))

const ALL = [...METHODS, 'OPTIONS'].join(', ')

it.each([
  ['app/[...path]/route.ts', 'serveEndpoints'],
  ['app/u/plain/[name]/route.ts', 'serveBelowU'],
])('%s passes every method on, so that the endpoint judges it', (file, serve) => {
  expect(readFileSync(file, 'utf8')).toContain(`export const { ${ALL} } = ${serve}()`)
})

it('is the only route, beside those of the console’s sign-in, invitations, search, files, tests and imports, and of pages that refuse', () => {
  expect(filesCalled('route.ts').sort()).toEqual([
    '[...path]/route.ts',
    'console/auth/[...nextauth]/route.ts',
    'console/export/[list]/route.ts',
    'console/find/ask/route.ts',
    'console/find/pick/route.ts',
    'console/join/accept/route.ts',
    'console/join/first-account/route.ts',
    'console/logins/test/start/route.ts',
    'console/now/route.ts',
    'console/users/export/[id]/file/route.ts',
    'console/users/import/[id]/failures/route.ts',
    'console/users/import/start/route.ts',
    'console/users/import/upload/route.ts',
    'u/plain/[name]/route.ts',
    `${PAGE_CHECK.slice(1)}/route.ts`,
  ])
})

/** The segments of a folder of app/, as a pattern of paths. */
const patternOf = (folder: string): RegExp =>
  new RegExp(
    `^/${folder
      .replace(/[.]/g, '\\.')
      .replace(/\[\\\.\\\.\\\.\w+\]/g, '.+')
      .replace(/\[\w+\]/g, '[^/]+')}$`,
  )

it('has no page of Next’s at the path of an endpoint, where the page would win', () => {
  const pages = ['page.tsx', 'route.ts'].flatMap(filesCalled).filter((file) => file !== '[...path]/route.ts')
  const patterns = pages
    .filter((file) => dirname(file) !== '.' && !file.startsWith('u/'))
    .map((file) => patternOf(dirname(file)))
  const samples = Object.keys(ENDPOINTS).map((path) => path.replace(/:\w+/g, 'x').replace(/\*$/, 'x/y'))
  expect(samples.filter((path) => patterns.some((pattern) => pattern.test(path)))).toEqual([])
})

describe('the route of all endpoints', () => {
  it.each(Object.entries(ENDPOINTS).filter(([path]) => !isBelowU(path)))(
    'finds the endpoint of %s',
    (pattern, endpoint) => {
      const path = pattern.replace(/:\w+/g, 'x').replace(/\*$/, 'x/y')
      expect(locate(path, path.slice(1).split('/')).endpoint).toBe(endpoint)
      // The Management API has paths of its own, none of which ends with a slash.
      if (!path.startsWith('/api/v2/')) expect(locate(`${path}/`).endpoint).toBe(endpoint)
    },
  )

  it('decodes the names in the path once', () => {
    const path = '/api/v2/users/auth0%7C1'
    expect(locate(path)).toEqual({
      endpoint: ENDPOINTS['/api/v2/users/:id'],
      location: { path, params: { id: 'auth0|1' } },
    })
  })

  it.each([
    ['an unknown path', '/nothing', ['nothing']],
    ['a path below /u, which the proxy leads elsewhere', '/u/login', ['.no-such-target']],
    ['a path that the edge refused, although an endpoint has it', '/samlp/%ff', ['.refused', 'path', 'samlp', '']],
    ['a method that the edge refused', '/oauth/token', ['.refused', 'method', 'oauth', 'token']],
  ])('answers %s with a refusal', (_, path, segments) => {
    const { endpoint } = locate(path, segments)
    expect(Object.values(ENDPOINTS)).not.toContain(endpoint)
  })
})

it('has a screen for every path whose endpoint shows screens, and no other', () => {
  const shown = Object.keys(ENDPOINTS).filter((path) => ENDPOINTS[path] === screens)
  expect(shown.toSorted()).toEqual(SCREENS.toSorted())
})

describe('the proxy, without which no page knows its address', () => {
  const matches = (path: string): boolean => doesProxyMatch({ config, nextConfig: {}, url: `https://id.test${path}` })
  const pages = filesCalled('page.tsx')
    .filter((file) => !file.startsWith('_'))
    .map((file) => `/${dirname(file)}`.replace('/.', '/'))

  it('runs before every page and everything below /u', () => {
    expect(pages).toContain('/u/[screen]')
    const below = Object.keys(ENDPOINTS).filter(isBelowU)
    const paths = [...pages, '/console/auth/sign-in', ...below, '/u/plain/login', '/u/nothing']
    expect(paths.filter((path) => !matches(path))).toEqual([])
  })

  it('keeps no file of an import in memory', () => {
    expect(matches('/console/users/import/upload')).toBe(false)
    for (const path of ['/console/users/import/upload/x', '/console/users/import', '/console/users/import/start'])
      expect(matches(path)).toBe(true)
  })

  it('is not in the way of machines', () => {
    const paths = ['/oauth/token', '/authorize', '/userinfo', '/.well-known/jwks.json', '/api/v2/users/auth0%7C1%2F2']
    for (const path of paths) expect(matches(path)).toBe(false)
  })

  it('runs before every path that cannot be decoded, and lets the others pass', async () => {
    for (const part of ['%E0%A4%A', '%ff', '%', '%2', '%zz', 'a%C0%80b', '%ED%A0%80']) {
      expect([part, matches(`/samlp/${part}`)]).toEqual([part, true])
      expect(await destination(`/samlp/${part}`)).toMatch(/^\/\.refused\/path\/samlp\//)
    }
    expect(matches('/samlp/%E2%9C%93')).toBe(true)
    expect((await send('/samlp/%E2%9C%93')).headers.get('x-middleware-next')).toBe('1')
  })

  const send = (path: string, method = 'GET', headers: Record<string, string> = {}) =>
    proxy(new NextRequest(`https://id.test${path}`, { method, headers: { host: 'id.test', ...headers } }))
  /** Null for the page at that address. */
  const destination = async (
    path: string,
    method?: string,
    headers?: Record<string, string>,
  ): Promise<string | null> => {
    const to = (await send(path, method, headers)).headers.get('x-middleware-rewrite')
    return to?.slice('https://id.test'.length) ?? null
  }

  it.each(SCREENS)('shows the page of %s, and sends other methods to the endpoint', async (path) => {
    const query = '?state=s&state=t'
    for (const method of ['GET', 'HEAD']) {
      const response = await send(path + query, method)
      expect(response.headers.get('x-middleware-rewrite')).toBeNull()
      expect(response.headers.get(`x-middleware-request-${ADDRESS}`)).toBe(path + query)
      expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
    }
    const handler = path.replace('/u/', '/u/plain/')
    for (const method of ['POST', 'PUT', 'OPTIONS'])
      expect(await destination(path + query, method)).toBe(handler + query)
    expect(await destination(handler + query)).toBe(handler + query)
  })

  it.each(Object.keys(ENDPOINTS).filter((path) => isBelowU(path) && !SCREENS.includes(path)))(
    'sends %s to its endpoint, which has no second address',
    async (path) => {
      const handler = path.replace('/u/', '/u/plain/')
      for (const method of ['GET', 'POST']) {
        expect(await destination(`${path}?ticket=t`, method)).toBe(`${handler}?ticket=t`)
        expect(await destination(handler, method)).toBe(NOWHERE)
      }
    },
  )

  it('lets pages redirect to the route that refuses them', async () => {
    expect(await destination(`${PAGE_CHECK}?at=/demo`)).toBe(`${PAGE_CHECK}?at=/demo`)
  })

  it.each(['/u/page', '/u/plain/nothing', '/u/login/more', '/u/log%69n', '/u/a.b'])(
    'finds nothing at %s',
    async (path) => {
      expect(await destination(path)).toBe(NOWHERE)
    },
  )

  it('passes on the endpoint whose path is that of a page with .json behind it', async () => {
    expect(matches('/dev/outbox.json')).toBe(true)
    expect((await send('/dev/outbox.json')).headers.get('x-middleware-next')).toBe('1')
  })

  it('lets the route handler say that there is no such screen', async () => {
    expect(await destination('/u/nothing')).toBe('/u/plain/nothing')
  })

  /** Without APP_URL the scheme is that of this machine. */
  const OWN = 'http://id.test'

  it('is the edge of the pages on a platform (threat-model.md BF5, BF23)', async () => {
    expect(await destination('/console/users/%ff')).toBe('/.refused/path/console/users/')
    expect(await destination('/demo', 'PUT')).toBe('/.refused/method/demo')
    expect(await destination('/console', 'POST', { origin: 'https://evil.test' })).toBe('/.refused/origin/console')
    expect(await destination('/console/auth/sign-out', 'POST', { 'sec-fetch-site': 'cross-site' })).toBe(
      '/.refused/origin/console/auth/sign-out',
    )
    expect(await destination('/console', 'POST', { origin: OWN })).toBe('/.refused/form-type/console')
    expect(await destination('/console/auth/sign-out', 'POST', { origin: OWN })).toBeNull()
    expect(await destination('/console/auth/sign-out')).toBe('/.refused/method/console/auth/sign-out')
    for (const form of ['/console/join/accept', '/console/join/first-account']) {
      expect(await destination(form, 'POST', { origin: 'https://evil.test' })).toBe(`/.refused/origin${form}`)
      expect(await destination(form)).toBe(`/.refused/method${form}`)
      expect(await destination(form, 'POST', { origin: OWN })).toBeNull()
    }
  })
})
