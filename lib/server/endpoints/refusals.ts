// Endpoints that refuse: unknown paths, and what the edge refuses (lib/http/edge.ts). Both adapters run them as any other, so a
// refusal has the headers, the limit and the log record of every answer (threat-model.md BF12, BF23).
// - The format is that of the endpoint at the path, else that of the endpoints around it: a page for people, JSON for the clients of
//   an API.

import type { EdgeRefusal } from '../../http/edge'
import { defineEndpoint, type Endpoint, METHODS } from '../../http/endpoint'
import { foreignPage } from '../../http/post-source'
import { createRouter } from '../../http/route'
import { DomainError, type ErrorOptions, invalidRequest, notFound } from '../../kernel/errors'
import type { Runtime } from '../runtime/runtime'
import { ENDPOINTS } from './index'

/** `form`, `form-type` and `form-size`: the body is no form of a page of this server. */
export type RequestRefusal = 'unknown' | EdgeRefusal | 'form' | 'form-type' | 'form-size'

const PLAINLY: ErrorOptions = { redirectable: false }

const ERRORS: Readonly<Record<RequestRefusal, (allowed: readonly string[]) => DomainError>> = {
  unknown: () => notFound('There is nothing at this address', PLAINLY),
  path: () => invalidRequest('The address is not valid UTF-8 in percent-encoding', PLAINLY),
  method: (allowed) =>
    new DomainError('method_not_allowed', 'Method not allowed', {
      ...PLAINLY,
      headers: [['allow', allowed.join(', ')]],
    }),
  origin: foreignPage,
  headers: () => invalidRequest('A header of the request cannot be read', PLAINLY),
  form: () => invalidRequest('The form cannot be read', PLAINLY),
  'form-type': () => new DomainError('unsupported_media_type', 'Send multipart/form-data', PLAINLY),
  'form-size': () => new DomainError('payload_too_large', 'The request body is too large', PLAINLY),
}

export const isReason = (text: string): text is RequestRefusal => Object.hasOwn(ERRORS, text)

/** Answers every request with the refusal. `allowed` are the methods of the path. */
export function refusing(reason: RequestRefusal, path: string, allowed: readonly string[] = []): Endpoint<Runtime> {
  const refuse = (): never => {
    throw ERRORS[reason](allowed)
  }
  return defineEndpoint<Runtime>({
    name: reason === 'unknown' ? 'not_found' : 'refused',
    limit: 'pages',
    shed: 'last',
    refused: null,
    ...formatAt(path),
    // It changes nothing, so any site may post.
    posts: 'any-site',
    methods: { GET: refuse, ...Object.fromEntries(METHODS.map((method) => [method, refuse])), POST: refuse },
  })
}

type Format = Pick<Endpoint<Runtime>, 'errors' | 'cors'>

const PAGE: Format = { errors: 'page', cors: 'none' }

const route = createRouter(ENDPOINTS)

function formatAt(path: string): Format {
  const found = route(path)?.endpoint ?? nearestTo(path)
  if (!found || found.errors === 'page') return PAGE
  // Such an endpoint answers the origins of the client that a request names, which a refused one does not.
  return { errors: found.errors, cors: found.cors === 'client' ? 'none' : found.cors }
}

/** An endpoint of the API reference that shares most segments with the path, or one for people where one shares as many. */
function nearestTo(path: string): Endpoint<Runtime> | undefined {
  const segments = path.split('/')
  for (let count = segments.length; count > 1; count--) {
    const start = segments.slice(0, count).join('/')
    const around = Object.entries(ENDPOINTS).flatMap(([known, endpoint]) =>
      known === start || known.startsWith(`${start}/`) ? [endpoint] : [],
    )
    if (around.length > 0)
      return around.find(({ errors }) => errors === 'page') ?? around.find(({ describe }) => describe !== undefined)
  }
  return undefined
}
