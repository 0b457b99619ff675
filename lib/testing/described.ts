// Every successful request of an endpoint test must be one that the API reference describes, and be answered as it says.
import * as z from 'zod'
import type { Description, DescriptionContext } from '../http/description'
import type { Endpoint } from '../http/endpoint'
import { bodyMembers, type HttpRequest, type HttpResponse, queryParameters } from '../http/message'
import { claimsManagement } from '../server/management-http/authorize'
import { checkManagedAnswer } from './managed-answers'

type Describes = Pick<Endpoint<never>, 'describe'>

const descriptions = new Map<string, WeakMap<Describes, Description>>()

function descriptionOf(endpoint: Describes, described: DescriptionContext): Description | undefined {
  const { vendorHost } = described
  const made = descriptions.get(vendorHost) ?? new WeakMap<Describes, Description>()
  descriptions.set(vendorHost, made)
  const known = made.get(endpoint) ?? endpoint.describe?.(described)
  if (known) made.set(endpoint, known)
  return known
}

export async function checkDescribed(
  endpoint: Describes & { name: string },
  request: HttpRequest,
  response: HttpResponse,
  described: DescriptionContext,
): Promise<void> {
  if (response.status >= 400 || isRefused(response)) return
  // Managers call the same paths as people.
  if (request.path.startsWith('/api/v2/') && claimsManagement(request)) return checkManagedAnswer(request, response)
  const description = descriptionOf(endpoint, described)?.[request.method as 'GET' | 'POST']
  if (!description) return
  const name = `${request.method} of ${endpoint.name}`
  if (description.query) expectFits(description.query, queryParameters(request), `query of ${name}`)
  if (description.body) expectFits(description.body, bodyMembers(request), `body of ${name}`)
  const answer = description.answers[response.status]
  if (!answer) throw new Error(`${name} answers ${response.status}, which its description does not list`)
  if (!answer.schema || isOfType(response, answer.orType)) return
  const body: unknown = JSON.parse(String(response.body))
  expectFits(answer.schema, body, `answer to ${name}`)
  const unlisted = unlistedIn(answer.schema, body)
  if (unlisted.length > 0) throw new Error(`the answer to ${name} does not list ${unlisted.join(', ')}`)
}

const isOfType = ({ headers }: HttpResponse, type: string | undefined): boolean =>
  type !== undefined && headers.some(([name, value]) => name === 'content-type' && value === type)

/** Errors of an authorization request are sent to the application by a redirect or a form. */
const isRefused = ({ headers, body }: HttpResponse): boolean =>
  headers.some(([name, value]) => name === 'location' && /[?&#]error=/.test(value)) ||
  (typeof body === 'string' && body.includes('name="error"'))

/** Bodies as the vendor's clients send them: null is absent, and other scalars are text. */
const asText = (members: object): object =>
  Object.fromEntries(
    Object.entries(members).flatMap(([name, value]) => {
      if (value === null) return []
      return [[name, typeof value === 'number' || typeof value === 'boolean' ? String(value) : value]]
    }),
  )

function expectFits(schema: z.ZodType, value: unknown, what: string): void {
  const read = schema.safeParse(value)
  if (read.success || schema.safeParse(asText(value as object)).success) return
  throw new Error(`the ${what} is not as described: ${z.prettifyError(read.error)}\n${JSON.stringify(value)}`)
}

const unlistedIn = (schema: z.ZodType, value: unknown): string[] =>
  schema instanceof z.ZodObject && !schema.def.catchall
    ? Object.keys(value as object).filter((name) => !Object.hasOwn(schema.shape, name))
    : []
