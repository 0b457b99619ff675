// Unknown paths and refusals of the edge, in the format of the endpoints around them (threat-model.md BF12, BF23).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runEndpoint } from '../../http/endpoint'
import type { HttpRequest } from '../../http/message'
import { type TestServer, testServer } from '../../testing/server'
import type { Runtime } from '../runtime/runtime'
import { ENDPOINTS } from './index'
import { isReason, type RequestRefusal, refusing } from './refusals'

let server: TestServer
let runtime: Runtime
beforeAll(async () => {
  server = await testServer()
  runtime = await server.runtime()
})
afterAll(() => server.close())

async function answerAt(path: string, reason: RequestRefusal = 'unknown', method = 'GET', allowed?: string[]) {
  const request: HttpRequest = {
    id: 'test',
    method,
    path,
    params: {},
    query: new URLSearchParams(),
    search: '',
    headers: {},
    body: new Uint8Array(),
    ip: '198.51.100.7',
  }
  const { status, headers, body } = await runEndpoint(refusing(reason, path, allowed), request, runtime)
  return { status, headers: Object.fromEntries(headers), text: String(body) }
}

describe('an unknown path', () => {
  it.each(['/me/v1', '/me/v1/nothing', '/me/v1/authentication-methods/a/b/c', '/me/nothing'])(
    '%s is a problem',
    async (path) => {
      const { status, headers, text } = await answerAt(path)
      expect([status, headers['content-type']]).toEqual([404, 'application/json; charset=utf-8'])
      expect(JSON.parse(text)).toEqual({
        type: 'https://auth0.com/api-errors/A0E-404-0001',
        status: 404,
        title: 'Not Found',
        detail: 'There is nothing at this address',
      })
    },
  )

  it.each(['/api', '/api/v1/users', '/api/v2'])('%s has the format of the Management API', async (path) => {
    const { status, text } = await answerAt(path)
    expect([status, JSON.parse(text)]).toMatchObject([404, { statusCode: 404, error: 'Not Found' }])
  })

  it.each([
    '/oauth/nothing',
    '/oauth',
    '/mfa/nothing',
    '/.well-known/nothing',
    // Section 3 of A Well-Known URL for Changing Passwords: password managers ask it to learn whether statuses can be relied on.
    '/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200',
    '/oidc/register/a/b',
    '/passkey/nothing',
  ])('%s is JSON of OAuth', async (path) => {
    const { status, text } = await answerAt(path)
    expect([status, JSON.parse(text)]).toMatchObject([404, { error: 'not_found' }])
  })

  it.each([
    '/nothing',
    '/',
    '/u/nothing',
    '/demo/x',
    '/dev/x',
    '/account/a/b',
    '/authorize/x',
    '/oidc/nothing',
    '/meow',
    '/.git/config',
  ])('%s is a page', async (path) => {
    const { status, headers } = await answerAt(path)
    expect([status, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
  })

  it('is readable for pages of other origins where the endpoints around it are', async () => {
    const known = ENDPOINTS['/me/v1/factors']?.cors
    expect(refusing('unknown', '/me/v1/nothing').cors).toBe(known)
    expect(refusing('unknown', '/co/nothing').cors).toBe('none')
  })
})

describe('a refusal', () => {
  const STATUS: Record<RequestRefusal, number> = {
    unknown: 404,
    path: 400,
    method: 405,
    origin: 403,
    headers: 400,
    form: 400,
    'form-type': 415,
    'form-size': 413,
  }

  it.each(Object.entries(STATUS) as [RequestRefusal, number][])(
    'for %s has status %i, whatever the method',
    async (reason, status) => {
      expect(isReason(reason)).toBe(true)
      for (const path of ['/console', '/me/v1/factors', '/oauth/token'])
        for (const method of ['GET', 'HEAD', 'POST', 'DELETE']) {
          const answer = await answerAt(path, reason, method)
          expect(answer.status).toBe(status)
          expect(answer.headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' })
        }
    },
  )

  it('names the methods of the path', async () => {
    expect((await answerAt('/console', 'method', 'GET', ['GET', 'HEAD', 'POST'])).headers.allow).toBe('GET, HEAD, POST')
  })

  it.each(['constructor', '__proto__', '', 'nothing'])('has no reason %j', (text) => {
    expect(isReason(text)).toBe(false)
  })
})
