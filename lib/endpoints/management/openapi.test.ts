// The OpenAPI document is valid and describes every operation.
import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { OPERATIONS } from '../../management/resources'
import { type TestServer, testServer } from '../../testing/server'

type Described = { operationId: string; responses: Record<string, unknown>; requestBody?: unknown; security: unknown[] }
type Document = { openapi: string; paths: Record<string, Record<string, Described>>; servers: { url: string }[] }

let server: TestServer
let document: Document

beforeAll(async () => {
  server = await testServer()
  const answer = await server.browser().get('/api/v2/openapi.json')
  expect(answer.status).toBe(200)
  document = answer.json() as unknown as Document
})
afterAll(() => server.close())

it('is a valid OpenAPI 3.1 document for this server', async () => {
  const validator = new Validator()
  expect(await validator.validate(structuredClone(document) as Parameters<Validator['validate']>[0])).toEqual({
    valid: true,
  })
  expect(document.openapi).toMatch(/^3\.1\./)
  expect(document.servers).toEqual([{ url: 'https://id.test/api/v2' }])
})

it.each(OPERATIONS.map((operation) => [operation.name, operation] as const))('describes %s', (name, operation) => {
  const described = document.paths[operation.path.replace(/:(\w+)/g, '{$1}')]?.[operation.method.toLowerCase()]
  expect(described?.operationId).toBe(name)
  expect(Object.keys(described?.responses ?? {})).toContain(String(operation.status))
  expect(described?.requestBody !== undefined).toBe(operation.body !== undefined)
  expect(described?.security).toEqual(operation.scopes.map((scope) => ({ oauth: [scope] })))
})

it('says which members an application has', () => {
  const schemas = (document as unknown as { components: { schemas: Record<string, { properties: object }> } })
    .components.schemas
  expect(Object.keys(schemas.Client?.properties ?? {})).toEqual(
    expect.arrayContaining(['client_id', 'callbacks', 'refresh_token']),
  )
})
