// The OpenAPI 3.1 document of the Authentication API, made from the descriptions in the table of endpoints.
import * as z from 'zod'
import type { Caller, Description, MethodDescription } from '../../http/description'
import { type Endpoint, type HttpMethod, METHODS } from '../../http/endpoint'
import { type DocumentedAnswer, type DocumentedOperation, writeDocument } from '../../http/openapi/document'
import { apiJson, bearerText, databaseJson, oauthJson, problemJson, tokenJson } from '../../http/render-errors'
import { PAGE } from './schemas'

export type Table<R> = Readonly<Record<string, Endpoint<R>>>

type Server = { baseUrl: string; vendorHost: string }

const oauthError = z.looseObject({ error: z.string(), error_description: z.string() }).meta({ id: 'OAuthError' })

const databaseError = z
  .looseObject({ name: z.string(), code: z.string(), description: z.string(), statusCode: z.number() })
  .meta({ id: 'DatabaseError' })

const apiError = z
  .looseObject({ statusCode: z.number(), error: z.string(), message: z.string(), errorCode: z.string() })
  .meta({ id: 'ApiError' })

const problem = z
  .object({
    type: z.string(),
    status: z.number(),
    title: z.string(),
    detail: z.string(),
    validation_errors: z
      .array(
        z.object({
          detail: z.string(),
          field: z.string().optional(),
          pointer: z.string().optional(),
          source: z.string().optional(),
        }),
      )
      .optional(),
  })
  .meta({ id: 'MyAccountError' })

/** The format of an endpoint's refusals. */
const REFUSALS = new Map<Endpoint<never>['errors'], DocumentedAnswer>([
  [oauthJson, { says: 'A refusal', schema: oauthError }],
  [tokenJson, { says: 'A refusal', schema: oauthError }],
  [bearerText, { says: 'A refusal; for an invalid token the text `Unauthorized`', schema: oauthError }],
  [databaseJson, { says: 'A refusal', schema: databaseError }],
  [apiJson, { says: 'A refusal', schema: apiError }],
  [problemJson, { says: 'A refusal', schema: problem }],
  ['page', { says: 'A page that explains the refusal', type: PAGE }],
])

const bearer = (description: string) => ({ type: 'http' as const, scheme: 'bearer', description })

const SCHEMES: Record<Caller, ReturnType<typeof bearer>> = {
  client: {
    type: 'http',
    scheme: 'basic',
    description: 'Id and secret of the client, which the body may hold instead',
  },
  access_token: bearer('An access token with one of the scopes'),
  mfa_token: bearer('The token of the answer `mfa_required`'),
  device_token: bearer('The token of a phone that approves logins'),
  registration_token: bearer('The token that the registration returned'),
}

/** The document as JSON text. */
export function authenticationDocument<R>(table: Table<R>, server: Server): string {
  const about = {
    info: { title: 'Latchkey Authentication API', version: '1.0' },
    servers: [{ url: server.baseUrl }],
    security: [],
    securitySchemes: SCHEMES,
  }
  const operations = Object.entries(table).flatMap(([path, endpoint]) => operationsAt(path, endpoint, server))
  return writeDocument(about, operations)
}

function operationsAt<R>(path: string, endpoint: Endpoint<R>, server: Server): DocumentedOperation[] {
  const description = endpoint.describe?.(server)
  if (!description) return []
  return METHODS.flatMap((method) => {
    const described = description[method]
    return described ? [operationOf(path, method, described, description.tag, endpoint)] : []
  })
}

function operationOf<R>(
  path: string,
  method: HttpMethod,
  { summary, caller = [], scopes = [], query, body, encoding, answers, examples }: MethodDescription,
  tag: Description['tag'],
  { errors }: Endpoint<R>,
): DocumentedOperation {
  const refusal = REFUSALS.get(errors)
  if (!refusal) throw new Error(`no schema describes the errors of ${path}`)
  return {
    id: `${method.toLowerCase()}${path.replace(/\W+/g, '_')}`,
    tag,
    method,
    path,
    summary,
    ...(scopes.length === 0
      ? {}
      : { description: `Needs one of the scopes ${scopes.map((each) => `\`${each}\``).join(', ')}.` }),
    security: caller.flatMap(securityOf(scopes)),
    query,
    body: body && { schema: body, types: TYPES[encoding ?? 'any'], required: !body.safeParse({}).success },
    answers: { ...answers, default: refusal },
    examples,
  }
}

/** A client may also be identified by the body, so its header is optional. */
const securityOf =
  (scopes: readonly string[]) =>
  (caller: Caller): Record<string, string[]>[] => {
    if (caller === 'client') return [{ client: [] }, {}]
    return caller === 'access_token' ? scopes.map((scope) => ({ access_token: [scope] })) : [{ [caller]: [] }]
  }

const JSON_TYPE = 'application/json'
const FORM_TYPE = 'application/x-www-form-urlencoded'
const TYPES = { any: [JSON_TYPE, FORM_TYPE], json: [JSON_TYPE], form: [FORM_TYPE] }
