// The endpoint table and the folders of app/ must be equal; both exist because Next reads folders.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { unstable_doesMiddlewareMatch as doesProxyMatch } from 'next/experimental/testing/server'
import { describe, expect, it } from 'vitest'
import { config } from '../../proxy'
import { screens } from '../endpoints/hosted/screens'
import { ENDPOINTS } from '../endpoints/index'
import { METHODS } from '../http/endpoint'
import { PAGE_CHECK } from './page-paths'
import { isScreen, plainPath } from './screen-address'

const ROUTE = /export const \{ ([A-Z, ]+) \} = serve\('([^']+)'\)/

/** `/api/users/:id` is the folder `api/users/[id]`. */
const folderOf = (path: string): string => `app${path.replace(/:(\w+)/g, '[$1]')}`

function routeAt(folder: string) {
  const [, methods = '', path = ''] = ROUTE.exec(readFileSync(`${folder}/route.ts`, 'utf8')) ?? []
  return { methods: methods.split(', '), path }
}

describe.each(Object.entries(ENDPOINTS))('%s', (path, endpoint) => {
  const own = METHODS.filter((method) => endpoint.methods[method])
  if (isScreen(path)) {
    it('is a page that reads, and a route for everything else', () => {
      expect(existsSync(`${folderOf(path)}/page.tsx`)).toBe(true)
      expect(routeAt(folderOf(plainPath(path)))).toEqual({ methods: [...METHODS, 'OPTIONS'], path })
    })
  } else {
    it('is a route with the methods of its endpoint', () => {
      expect(routeAt(folderOf(path))).toEqual({ methods: [...own, 'OPTIONS'], path })
    })
  }
})

it('has no route that the table does not know', () => {
  const folders = readdirSync('app', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('route.ts'))
    .map((file) => `app/${dirname(file)}`)
  const known = ['/[...path]', PAGE_CHECK, ...Object.keys(ENDPOINTS)].map((path) =>
    folderOf(isScreen(path) ? plainPath(path) : path),
  )
  expect(folders.sort()).toEqual(known.sort())
})

describe('the proxy, without which no page knows its address', () => {
  const matches = (path: string): boolean => doesProxyMatch({ config, nextConfig: {}, url: `https://id.test${path}` })
  const pages = readdirSync('app', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('page.tsx') && !file.startsWith('_'))
    .map((file) => `/${dirname(file)}`.replace('/.', '/'))

  it('runs before every page', () => {
    expect(pages).toContain('/u/link-account')
    expect(pages.filter((path) => !matches(path))).toEqual([])
  })

  it('knows every screen of the table, and no other', () => {
    const due = Object.keys(ENDPOINTS).filter((path) => ENDPOINTS[path] === screens)
    expect(due.length).toBeGreaterThan(10)
    expect(Object.keys(ENDPOINTS).filter(isScreen)).toEqual(due)
    expect(pages.filter((path) => path.startsWith('/u/')).toSorted()).toEqual(due.toSorted())
  })

  it('is not in the way of machines', () => {
    for (const path of ['/oauth/token', '/authorize', '/userinfo', '/.well-known/jwks.json']) {
      expect(matches(path)).toBe(false)
    }
  })
})
