// Paths that people and managers share: /api/v2/users/{id} is a person's own record for a personal token, and any user's for a
// management token. The claimed scope selects the limit and the handler; both verify the token.
import { type Endpoint, type Handler, METHODS, type Method } from '../../http/endpoint'
import { DomainError } from '../../kernel/errors'
import type { Runtime } from '../../runtime/runtime'
import { claimsManagement } from './authorize'
import { answerManagement } from './management'

export function sharedWithManagers(personal: Endpoint<Runtime>): Endpoint<Runtime> {
  const own: Partial<Record<Method, Handler<Runtime>>> = personal.methods
  return {
    ...personal,
    limitFor: (request) => (claimsManagement(request) ? 'management' : undefined),
    methods: { ...own, ...Object.fromEntries(METHODS.map((method) => [method, handlerOf(own[method])])) },
  } as Endpoint<Runtime>
}

const handlerOf =
  (own: Handler<Runtime> | undefined): Handler<Runtime> =>
  (request, runtime, count) => {
    if (claimsManagement(request)) return answerManagement(request, runtime, count)
    if (!own) throw new DomainError('method_not_allowed', 'Method not allowed')
    return own(request, runtime, count)
  }
