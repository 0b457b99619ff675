// The table and the folders of app/ are one list, kept twice because Next reads folders.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ENDPOINTS } from '../endpoints/index'
import { METHODS } from '../http/endpoint'
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
  const known = Object.keys(ENDPOINTS).map((path) => folderOf(isScreen(path) ? plainPath(path) : path))
  expect(folders.sort()).toEqual(known.sort())
})
