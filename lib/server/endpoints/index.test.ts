// The table is the only list of endpoints; the documentation and the test files it names must match it.
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { METHODS } from '../../http/endpoint'
import { apiJson, bearerText, databaseJson, oauthJson, problemJson, tokenJson } from '../../http/render-errors'
import { LOGIN_SCREENS, screenPath } from '../../pages/screens'
import { managementJson } from '../management-http/render'
import { ENDPOINTS } from './index'

const quoted = (cell: string): string[] => Array.from(cell.matchAll(/`([^`]+)`/g), ([, file = '']) => file)

const documented = new Map(
  [...readFileSync('docs/endpoints.md', 'utf8').matchAll(/^\| `(\/[^`]*)` \|(.*)\|$/gm)].map(
    ([, path = '', rest = '']) => {
      const [methods = '', , endpoint = '', tests = ''] = rest.split('|')
      return [path, { methods: methods.trim(), files: quoted(`${endpoint} ${tests}`) }]
    },
  ),
)

it('has a row in docs/endpoints.md for every endpoint, and no row for another', () => {
  expect([...documented.keys()].sort()).toEqual(Object.keys(ENDPOINTS).sort())
})

it.each(LOGIN_SCREENS)('documents the screen %s', (screen) => {
  expect(documented.get(screenPath(screen))?.methods).toContain('GET')
})

describe.each(Object.entries(ENDPOINTS))('%s', (path, endpoint) => {
  const methods = METHODS.filter((method) => endpoint.methods[method])

  it('is documented with its methods, and with files that exist', () => {
    expect(documented.get(path)?.methods).toBe(methods.join(', '))
    expect(documented.get(path)?.files.filter((file) => !existsSync(file))).toEqual([])
  })

  it('has a test that names it', () => {
    const tests = documented.get(path)?.files.filter((file) => file.endsWith('.test.ts')) ?? []
    expect(tests.length).toBeGreaterThan(0)
  })

  it('answers browsers with pages that no other origin can read, and machines with JSON', () => {
    if (endpoint.errors === 'page') expect(endpoint.cors).toBe('none')
    else
      expect([oauthJson, tokenJson, bearerText, databaseJson, apiJson, managementJson, problemJson]).toContain(
        endpoint.errors,
      )
  })
})
