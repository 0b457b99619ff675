// The OpenAPI 3.1 document of the Management API, made from its operations.
import * as z from 'zod'
import { MANAGEMENT_SCOPES } from '../data/apis/management-scopes'
import { type DocumentedOperation, writeDocument } from '../http/openapi/document'
import { OPERATIONS } from '.'
import { scopesIn, scopesThatGuard } from './operations/member-access'
import type { Operation } from './operations/operation'

const idempotencyKey = z.object({
  'Idempotency-Key': z.string().max(257).optional().meta({ description: 'A repeated request gets the first answer' }),
})

const problem = z
  .object({
    statusCode: z.number().int(),
    error: z.string(),
    message: z.string(),
    errorCode: z.string().optional(),
  })
  .meta({ id: 'Problem' })

const refusal = (says: string) => ({ says, schema: problem })

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

// biome-ignore lint/suspicious/noExplicitAny: what an operation depends on does not matter here.
type AnyOperation = Operation<any>

/** The document as JSON text, for a server at this address. */
export function openApiDocument(baseUrl: string, operations: readonly AnyOperation[] = OPERATIONS): string {
  const clientCredentials = { tokenUrl: `${baseUrl}/oauth/token`, scopes: Object.fromEntries(MANAGEMENT_SCOPES) }
  const about = {
    info: { title: 'Latchkey Management API', version: '2.0' },
    servers: [{ url: `${baseUrl}/api/v2` }],
    security: [{ oauth: [] }],
    securitySchemes: { oauth: { type: 'oauth2' as const, flows: { clientCredentials } } },
  }
  return writeDocument(about, operations.map(describeOperation))
}

function describeOperation(operation: AnyOperation): DocumentedOperation {
  const { name, method, path, summary, scopes, query, status, answer, example, examplePath } = operation
  const body = operation.describedBody ?? operation.body
  const type = operation.form ? 'multipart/form-data' : 'application/json'
  return {
    id: name,
    tag: name.split('.')[0] ?? name,
    method,
    path,
    summary,
    description: describeScopes(operation),
    security: scopesIn(scopes).map((scope) => ({ oauth: [scope] })),
    query,
    ...(method === 'POST' ? { headers: idempotencyKey } : {}),
    body: body && { schema: body, types: [type], required: !operation.bodyOptional },
    answers: {
      [String(status)]: { says: saysOf(operation), schema: status === 204 ? undefined : answer },
      ...REFUSALS,
    },
    examples: example === undefined ? {} : { [name]: { body: example, ...(examplePath && { path: examplePath }) } },
  }
}

/** One type of an array serves a typed client better than all shapes that a query may choose. */
const saysOf = ({ answer, list }: AnyOperation): string =>
  list && answer instanceof z.ZodArray
    ? `The entries; in an object, as \`${list}\`, where the query asks for a total or a checkpoint`
    : 'Done'

const inCode = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ')

function describeScopes(operation: AnyOperation): string {
  const { scopes, needs, guarded = {}, secrets = {} } = operation
  const alternatives = scopes.flatMap((rule) => (typeof rule === 'string' ? [] : Object.entries(rule)))
  return [
    `Needs one of the scopes ${inCode(scopesIn(scopes))}.`,
    ...(needs ? [`And one of ${inCode(needs)}.`] : []),
    ...alternatives.map(([scope, members]) => `\`${scope}\` opens only ${inCode(members)}.`),
    ...[...new Set(Object.values(guarded).flat())].map(
      (name) => `\`${name}\` also needs ${inCode(scopesThatGuard(operation, name))}.`,
    ),
    ...Object.entries(secrets).map(([name, secret]) => `\`${name}\` is shown with ${inCode(secret.scopes)}.`),
  ].join(' ')
}
