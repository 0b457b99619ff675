import { describe, expect, it } from 'vitest'
import { checkRequestHead, type Gate, judgedHeaders, ownOrigin } from './edge'
import { NOWHERE } from './target'

const APP = 'https://id.test'
const FORMS: Gate = { methods: ['GET', 'POST'], posts: 'own-pages' }

const verdictOn = (
  target: string,
  method = 'GET',
  headers: Record<string, string> = {},
  gateOf: () => Gate | undefined = () => FORMS,
) => checkRequestHead({ method, target, headers: { host: 'id.test', ...headers } }, gateOf, APP)
const noGate = () => undefined

describe('the path (threat-model.md BF12, BF23)', () => {
  it.each(['%E0%A4%A', '%ff', '%', '%2', '%zz', '%ED%A0%80', '%C0%80', '%00', 'a%0d%0ab', '%7f'])(
    '/console/%s is refused',
    (part) => {
      for (const method of ['GET', 'POST', 'TRACE']) {
        expect(verdictOn(`/console/${part}`, method).refused).toBe('path')
        expect(verdictOn(`/console/${part}`, method, {}, noGate).refused).toBe('path')
      }
    },
  )

  it.each(['/console/auth0%7C1', '/console/a%2Fb', '/console/%E2%9C%93', '/console?a=%ff&b=%00', '/console/%252e'])(
    '%s passes unchanged',
    (target) => {
      expect(verdictOn(target)).toEqual({ target, refused: null })
    },
  )

  it.each(['http://evil.test/console', '//evil.test/', '/demo/.', '/demo/..?a', '/demo/%2e%2E/x', '/a/./b', '/demo#x'])(
    '%s leads nowhere',
    (target) => {
      expect(verdictOn(target)).toEqual({ target: NOWHERE, refused: null })
    },
  )
})

describe('the method (threat-model.md BF23)', () => {
  it.each(['TRACE', 'PROPFIND', 'PUT', 'DELETE', 'OPTIONS', 'post', 'constructor', ''])(
    '%j is refused at a page',
    (method) => {
      expect(verdictOn('/console', method).refused).toBe('method')
    },
  )

  it('may be HEAD wherever it may be GET', () => {
    expect(verdictOn('/console', 'HEAD').refused).toBeNull()
    expect(verdictOn('/sign-out', 'HEAD', {}, () => ({ methods: ['POST'] })).refused).toBe('method')
  })

  it('is judged by the endpoint where the path has no gate', () => {
    for (const method of ['TRACE', 'PUT', 'GET']) expect(verdictOn('/userinfo', method, {}, noGate).refused).toBeNull()
  })
})

describe('the source of a post (threat-model.md BF5)', () => {
  it.each<Record<string, string>>([
    { origin: 'https://evil.test' },
    { origin: 'null' },
    { origin: 'garbage' },
    { origin: '' },
    { origin: 'http://id.test' },
    { origin: 'https://id.test:8443' },
    { origin: 'https://app.id.test' },
    { origin: 'https://id.test, https://evil.test' },
    { origin: 'https://id.test', 'sec-fetch-site': 'cross-site' },
    { origin: 'https://id.test', 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'garbage' },
  ])('%j is foreign', (headers) => {
    expect(verdictOn('/console', 'POST', headers).refused).toBe('origin')
    expect(verdictOn('/console', 'GET', headers).refused).toBeNull()
  })

  it.each<Record<string, string>>([
    { origin: 'https://id.test' },
    { origin: 'https://id.test', 'sec-fetch-site': 'same-origin' },
    { origin: 'null', 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'none' },
    {},
  ])('%j is our own', (headers) => {
    expect(verdictOn('/console', 'POST', headers).refused).toBeNull()
  })

  it('is also our own on a custom domain, and behind a proxy that changes the host', () => {
    const custom = { host: 'login.shop.test', origin: 'https://login.shop.test' }
    expect(verdictOn('/console', 'POST', custom).refused).toBeNull()
    expect(verdictOn('/console', 'POST', { host: 'upstream:3000', origin: 'https://id.test' }).refused).toBeNull()
    expect(verdictOn('/console', 'POST', { host: 'login.shop.test', origin: 'https://evil.test' }).refused).toBe(
      'origin',
    )
  })

  it.each(['a b', '[', 'evil.test/x', 'evil.test, id.test', ''])(
    'is never judged by the unreadable host %j',
    (host) => {
      expect(ownOrigin({ host, origin: 'https://evil.test' }, APP)).not.toBe('https://evil.test')
      expect(verdictOn('/console', 'POST', { host, origin: 'https://evil.test' }).refused).toBe('origin')
    },
  )
})

it('refuses headers that the framework cannot read, at its pages alone', () => {
  const gate: Gate = { methods: ['GET'], reads: ({ rsc }) => rsc === '1' }
  expect(verdictOn('/console', 'GET', { rsc: 'x' }, () => gate).refused).toBe('headers')
  expect(verdictOn('/console', 'GET', { rsc: '1' }, () => gate).refused).toBeNull()
  expect(verdictOn('/userinfo', 'GET', { rsc: 'x' }, noGate).refused).toBeNull()
})

it('shows the framework the origin that was judged, whatever was claimed', () => {
  const headers = { host: 'id.test', origin: 'null', 'x-forwarded-host': 'evil.test' }
  expect(judgedHeaders(headers, APP)).toEqual({ origin: APP, 'x-forwarded-host': 'id.test' })
  expect(judgedHeaders({ host: 'id.test' }, APP)).toEqual({ 'x-forwarded-host': 'id.test' })
})
