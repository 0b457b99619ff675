// What the endpoints of a user's own data share: who calls, and what surrounds the handlers.

import { managementAudience, type PersonalScope } from '../../data/apis/built-in'
import type { Description } from '../../http/description'
import { defineEndpoint, type Endpoint } from '../../http/endpoint'
import type { HttpRequest } from '../../http/message'
import { apiJson } from '../../http/render-errors'
import { accessDenied } from '../../kernel/errors'
import type { CountRequest } from '../../kernel/request-meter'
import type { Bearer } from '../../protocols/oauth/bearer'
import type { Runtime } from '../runtime/runtime'
import { ownCaller } from './caller'

type Methods = Endpoint<Runtime>['methods']

type Described = Omit<Description, 'tag'>

export const defineCurrentUserEndpoint = (
  name: string,
  methods: Methods,
  describe: () => Described,
): Endpoint<Runtime> =>
  defineEndpoint<Runtime>({
    name,
    limit: 'current_user',
    shed: 'last',
    refused: 'change_refused',
    cors: 'registered',
    errors: apiJson,
    methods,
    describe: () => ({ tag: 'Own account', ...describe() }),
  })

export const callerWith = (
  scopes: PersonalScope[],
  request: HttpRequest,
  runtime: Runtime,
  count: CountRequest,
): Promise<Bearer> => {
  const demand = { audience: managementAudience(runtime.canonicalUrl), anyAddress: true as const, scopes }
  return ownCaller(request, demand, runtime, count)
}

/** Like callerWith, where the path names the user. */
export async function ownUser(
  scopes: PersonalScope[],
  request: HttpRequest,
  runtime: Runtime,
  count: CountRequest,
): Promise<Bearer> {
  const caller = await callerWith(scopes, request, runtime, count)
  if (request.params.id !== caller.user.id)
    throw accessDenied("The token opens its own user's data alone", { reason: 'not_own_record' })
  return caller
}
