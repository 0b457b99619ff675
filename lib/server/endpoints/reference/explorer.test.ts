// The API explorer: one page for two documents, with nothing from another origin. e2e/flows/reference.spec.ts opens it in a browser.
import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestServer, testServer } from '../../../testing/server'

let server: TestServer

beforeAll(async () => {
  server = await testServer()
})
afterAll(() => server.close())

it.each([
  [{}, '/openapi.json'],
  [{ api: 'authentication' }, '/openapi.json'],
  [{ api: 'management' }, '/api/v2/openapi.json'],
])('shows the document that %j names', async (query, url) => {
  const page = await server.browser().get('/reference', { query })
  expect(page.status).toBe(200)
  expect(page.header('content-type')).toBe('text/html; charset=utf-8')
  expect(page.text).toContain(`"url":"${url}"`)
})

it('lets only its own scripts run, and loads nothing from another origin', async () => {
  const page = await server.browser().get('/reference')
  const policy = page.header('content-security-policy') ?? ''
  const nonce = /<script nonce="([^"]+)">/.exec(page.text)?.[1] ?? 'none'
  expect(policy).toBe(
    `default-src 'none'; script-src 'self' 'nonce-${nonce}'; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; object-src 'none'`,
  )
  expect(page.text).not.toMatch(/https?:\/\//)
  expect((await server.browser().get('/reference')).text).not.toContain(nonce)
})

it.each(['other', '<script>alert(1)</script>', '__proto__', 'constructor'])('refuses the document %s', async (api) => {
  const page = await server.browser().get('/reference', { query: { api } })
  expect(page.status).toBe(400)
  expect(page.text).not.toContain('<script>alert')
})

it.each([
  ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
  ['swagger-ui.css', 'text/css; charset=utf-8'],
])('serves %s as it was published, compressed where the browser accepts that', async (file, type) => {
  const published = await readFile(`node_modules/swagger-ui-dist/${file}`)
  const compressed = await server.browser().get(`/reference/${file}`, { headers: { 'accept-encoding': 'br, gzip' } })
  expect([compressed.status, compressed.header('content-type')]).toEqual([200, type])
  expect(compressed.header('content-encoding')).toBe('gzip')
  expect(compressed.header('vary')).toBe('accept-encoding')
  expect(gunzipSync(compressed.body as Uint8Array).equals(published)).toBe(true)
  for (const accepted of ['', 'br', 'gzip;q=0', 'gzip; q=0.0, br']) {
    const plain = await server.browser().get(`/reference/${file}`, { headers: { 'accept-encoding': accepted } })
    expect(plain.header('content-encoding')).toBeUndefined()
    expect(Buffer.from(plain.body as Uint8Array).equals(published)).toBe(true)
  }
})

it.each(['other.js', '__proto__', '..%2F..%2Fpackage.json', 'swagger-ui-bundle.js.gz'])(
  'has no file %s',
  async (file) => {
    expect((await server.browser().get(`/reference/${file}`)).status).toBe(404)
  },
)
