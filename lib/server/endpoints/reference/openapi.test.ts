// The OpenAPI document of the Authentication API is valid and true: it lists every endpoint that is no page, every example is a
// request that succeeds, and no handler reads a parameter that is not listed.
import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Example, MethodDescription } from '../../../http/description'
import { type HttpMethod, METHODS } from '../../../http/endpoint'
import * as message from '../../../http/message'
import type { ExampleTenant } from '../../../testing/examples'
import { ENDPOINTS } from '../index'

const DESCRIBED = { vendorHost: 'auth0.com', baseUrl: 'https://id.test' }

/** Pages, pictures, probes, tools of operators and the demo, metadata of one API each, the documents themselves, and the Management API, which has a document of its own. */
const NO_API =
  /^\/(u|dev|demo|account|avatar|picture|shared-login|login-test)\/|^\/(account|activate|continue|logout\/callback|healthz|readyz|metrics|doctor)$|openapi\.json$|^\/(reference|troubleshooting)|^\/\.well-known\/oauth-protected-resource\/|^\/api\/v2\/(\*|exports)$/

type Case = { path: string; method: HttpMethod; described: MethodDescription; title: string; example: Example }

const cases: Case[] = Object.entries(ENDPOINTS).flatMap(([path, endpoint]) => {
  const description = endpoint.describe?.(DESCRIBED)
  return METHODS.flatMap((method) => {
    const described = description?.[method]
    if (!described) return []
    return Object.entries(described.examples).map(([title, example]) => ({ path, method, described, title, example }))
  })
})

/** Names that the handlers read from the query and the body of the current request. */
const read = new Set<string>()

const recorded = <T extends object>(members: T): T =>
  new Proxy(members, {
    get(target, name, self) {
      if (typeof name === 'string') read.add(name)
      return Reflect.get(target, name, self) as unknown
    },
  })

let tenant: ExampleTenant

/** The server is loaded anew, so that all of it reads parameters through the recording functions. */
beforeAll(async () => {
  vi.resetModules()
  vi.doMock('../../../http/message', () => ({
    ...message,
    parametersOf: (request: message.HttpRequest) => recorded(message.parametersOf(request)),
    allParameters: (request: message.HttpRequest) => recorded(message.allParameters(request)),
    queryParameters: (request: message.HttpRequest) => recorded(message.queryParameters(request)),
    bodyParameters: (request: message.HttpRequest) => recorded(message.bodyParameters(request)),
    bodyMembers: (request: message.HttpRequest) => recorded(message.bodyMembers(request)),
    jsonMembers: (request: message.HttpRequest) => recorded(message.jsonMembers(request)),
  }))
  tenant = await (await import('../../../testing/examples')).exampleTenant()
})
afterAll(async () => {
  vi.doUnmock('../../../http/message')
  vi.resetModules()
  await tenant.close()
})

it('is served as a valid OpenAPI 3.1 document for this server', async () => {
  const answer = await tenant.browser().get('/openapi.json')
  expect(answer.status).toBe(200)
  expect(answer.header('access-control-allow-origin')).toBe('*')
  const document = answer.json()
  expect(document).toMatchObject({ openapi: '3.1.1', servers: [{ url: 'https://id.test' }] })
  const validator = new Validator()
  expect(await validator.validate(structuredClone(document) as Parameters<Validator['validate']>[0])).toEqual({
    valid: true,
  })
  const operations = Object.entries(document.paths as Record<string, object>).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  const described = cases.map(({ path, method }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`)
  expect(operations.toSorted()).toEqual([...new Set(described)].toSorted())
})

describe.each(Object.entries(ENDPOINTS))('%s', (path, endpoint) => {
  const methods = METHODS.filter((method) => endpoint.methods[method])

  it('has every method in the document, or is no part of the API', () => {
    const described = Object.keys(endpoint.describe?.(DESCRIBED) ?? {}).filter((name) => name !== 'tag')
    if (NO_API.test(path)) expect(described).toEqual([])
    // A personal token may do less at a path that managers share.
    else if (path.startsWith('/api/v2/')) expect(methods).toEqual(expect.arrayContaining(described))
    else expect(described.toSorted()).toEqual(methods.toSorted())
  })
})

const listed = ({ query, body }: MethodDescription): string[] =>
  [query, body].flatMap((schema) => {
    const options = (schema as { options?: { shape: object }[] } | undefined)?.options ?? [schema as { shape?: object }]
    return options.flatMap((option) => Object.keys(option?.shape ?? {}))
  })

describe('every example', () => {
  it.each(cases)(
    'the example of $method $path is answered as described: $title',
    async ({ path, method, described, example }) => {
      const request = await tenant.prepare(path, method, described, example)
      read.clear()
      const answer = await request()
      expect(Object.keys(described.answers), answer.text).toContain(String(answer.status))
      const names = listed(described)
      if (names.length > 0) expect([...read].filter((name) => !names.includes(name))).toEqual([])
      expect(Object.keys({ ...example.query, ...example.body }).filter((name) => !names.includes(name))).toEqual([])
    },
  )
})
