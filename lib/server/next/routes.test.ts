// The endpoint table and the folders of app/ must be equal; both exist because Next reads folders. Below `/u` two folders with a
// parameter answer everything, and the proxy chooses between them.
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
import { locator } from './locate'
import { PAGE_CHECK } from './page-paths'
import { ADDRESS, isBelowU } from './screen-address'

const ROUTE = /export const \{ ([A-Z, ]+) \} = (\w+)\((?:'([^']+)')?\)/
const SCREENS = LOGIN_SCREENS.map(screenPath)

/** `/api/users/:id` is the folder `api/users/[id]`, and `/api/v2/*` the folder `api/v2/[...path]`. */
const folderOf = (path: string): string =>
  isBelowU(path) ? 'app/u/plain/[name]' : `app${path.replace(/:(\w+)/g, '[$1]').replace(/\*$/, '[...path]')}`

function routeAt(folder: string) {
  const [, methods = '', serve = '', path = ''] = ROUTE.exec(readFileSync(`${folder}/route.ts`, 'utf8')) ?? []
  return { methods: methods.split(', '), serve, path }
}

const filesCalled = (name: string): string[] =>
  readdirSync('app', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith(name))

it.each(Object.entries(ENDPOINTS).filter(([path]) => !isBelowU(path)))(
  '%s is a route with the methods of its endpoint',
  (path, endpoint) => {
    const own = METHODS.filter((method) => endpoint.methods[method])
    expect(routeAt(folderOf(path))).toEqual({ methods: [...own, 'OPTIONS'], serve: 'serve', path })
  },
)

it.each([
  ['/userinfo', '/userinfo', {}],
  ['/api/v2/users/:id', '/api/v2/users/auth0%7C1', { id: 'auth0|1' }],
  ['/api/v2/*', '/api/v2/clients/c1', {}],
])('a request to the route of %s is for %s', (pattern, path, params) => {
  expect(locator(pattern, screens)({ url: `https://id.test${path}?q=1` })).toEqual({ path, params })
})

it('has one route for everything below /u that is no page, with every method', () => {
  expect(routeAt('app/u/plain/[name]')).toEqual({ methods: [...METHODS, 'OPTIONS'], serve: 'serveBelowU', path: '' })
})

it('has no route that the table does not know, beside the sign-in of the console', () => {
  const folders = filesCalled('route.ts')
    .map((file) => `app/${dirname(file)}`)
    .filter((folder) => !folder.startsWith('app/console/auth/'))
  const known = new Set(['/[...path]', ...Object.keys(ENDPOINTS)].map(folderOf)).add(`app${PAGE_CHECK}`)
  expect(folders.sort()).toEqual([...known].sort())
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
  })
})
