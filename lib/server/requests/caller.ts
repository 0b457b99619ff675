// Who calls an API about the person: the token's own person, from a page of the client that it was issued to, or from no page.
import { admitsOrigin, registeredOrigins } from '../../data/clients/origins'
import type { HttpRequest } from '../../http/message'
import { accessDenied } from '../../kernel/errors'
import type { CountRequest } from '../../kernel/request-meter'
import { authorizeBearer, type Bearer, type Demand } from '../../protocols/oauth/bearer'
import type { Runtime } from '../runtime/runtime'

export async function ownCaller(
  request: HttpRequest,
  demand: Demand,
  runtime: Runtime,
  count: CountRequest,
): Promise<Bearer> {
  const bearer = await authorizeBearer(request, demand, runtime)
  await count(bearer.user.id)
  const { origin } = request.headers
  if (origin !== undefined && !(await admitsOrigin(registeredOrigins(bearer.client), origin, runtime))) {
    throw accessDenied('The origin is not allowed for this application', { reason: 'web_origin_missing' })
  }
  return bearer
}
