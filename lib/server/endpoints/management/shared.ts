// Paths that people and managers share: /api/v2/users/{id} is a person's own record for a personal token, and any user's for a
// management token. Whose token it is selects the limit and the handler; both verify the token.
import { type Endpoint, type Handler, type HttpMethod, METHODS } from '../../../http/endpoint'
import { claimsManagement } from '../../management-http/authorize'
import type { Runtime } from '../../runtime/runtime'
import { answerManagement } from './management'

export function sharedWithManagers(personal: Endpoint<Runtime>): Endpoint<Runtime> {
  const own: Partial<Record<HttpMethod, Handler<Runtime>>> = personal.methods
  return {
    ...personal,
    limitFor: (request) => (claimsManagement(request) ? 'management' : undefined),
    methods: { ...own, ...Object.fromEntries(METHODS.map((method) => [method, handlerOf(own[method])])) },
  } as Endpoint<Runtime>
}

/** A method that people do not have is one of the Management API, which refuses a personal token for the scope that it lacks. */
const handlerOf =
  (own: Handler<Runtime> | undefined): Handler<Runtime> =>
  (request, runtime, count) =>
    own && !claimsManagement(request) ? own(request, runtime, count) : answerManagement(request, runtime, count)
