// The OpenAPI 3.1 document of the Management API, made from its operations.
import * as z from 'zod'
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi'
import { MANAGEMENT_SCOPES } from '../apis/management-scopes'
import type { Operation } from './operation'
import { OPERATIONS } from './resources'

const problem = z
  .object({
    statusCode: z.number().int(),
    error: z.string(),
    message: z.string(),
    errorCode: z.string().optional(),
  })
  .meta({ id: 'Problem' })

const idempotencyKey = z.object({
  'Idempotency-Key': z.string().max(257).optional().meta({ description: 'A repeated request gets the first answer' }),
})

/** Every operation may answer these. */
const REFUSALS = {
  '400': refusal('The body or the query is wrong'),
  '401': refusal('The token is missing, wrong or expired'),
  '403': refusal('The token lacks a scope'),
  '404': refusal('The object does not exist'),
  '409': refusal('The object exists already'),
  '412': refusal('The object changed since it was read'),
  '429': refusal('The limit is used up'),
}

function refusal(description: string) {
  return { description, content: { 'application/json': { schema: problem } } }
}

// biome-ignore lint/suspicious/noExplicitAny: what an operation depends on does not matter here.
type AnyOperation = Operation<any>

/** The document as JSON text, for a server at this address. */
export function openApiDocument(baseUrl: string, operations: readonly AnyOperation[] = OPERATIONS): string {
  const document = createDocument(
    {
      openapi: '3.1.1',
      info: { title: 'Latchkey Management API', version: '2.0' },
      servers: [{ url: `${baseUrl}/api/v2` }],
      security: [{ oauth: [] }],
      paths: pathsOf(operations),
      components: {
        securitySchemes: {
          oauth: {
            type: 'oauth2',
            flows: {
              clientCredentials: { tokenUrl: `${baseUrl}/oauth/token`, scopes: Object.fromEntries(MANAGEMENT_SCOPES) },
            },
          },
        },
      },
    },
    { allowEmptySchema: { undefined: true, custom: true, unknown: true, any: true, transform: true } },
  )
  return JSON.stringify(document)
}

function pathsOf(operations: readonly AnyOperation[]): ZodOpenApiPathsObject {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {}
  for (const operation of operations) {
    const path = operation.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: describeOperation(operation) }
  }
  return paths
}

function describeOperation(operation: AnyOperation): ZodOpenApiOperationObject {
  const { name, summary, scopes, query, status, answer } = operation
  const body = operation.describedBody ?? operation.body
  const parameters = [...operation.path.matchAll(/:(\w+)/g)].map(([, parameter]) => parameter ?? '')
  return {
    operationId: name,
    tags: [name.split('.')[0] ?? name],
    summary,
    description: `Needs one of the scopes ${scopes.map((scope) => `\`${scope}\``).join(', ')}.`,
    security: scopes.map((scope) => ({ oauth: [scope] })),
    requestParams: {
      ...(parameters.length > 0
        ? { path: z.object(Object.fromEntries(parameters.map((each) => [each, z.string()]))) }
        : {}),
      ...(query ? { query } : {}),
      ...(operation.method === 'POST' ? { header: idempotencyKey } : {}),
    },
    ...(body
      ? {
          requestBody: {
            required: !operation.bodyOptional,
            content: { [operation.form ? 'multipart/form-data' : 'application/json']: { schema: body } },
          },
        }
      : {}),
    responses: {
      [String(status)]: {
        description: 'Done',
        ...(status === 204 ? {} : { content: { 'application/json': { schema: answer ?? z.looseObject({}) } } }),
      },
      ...REFUSALS,
    },
  }
}
