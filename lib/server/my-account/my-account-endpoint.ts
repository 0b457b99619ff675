// What the endpoints of the vendor's My Account API share (docs/my-account.md): who calls, and what surrounds the handlers.
// - Every change needs a login of the last fifteen minutes, which proved a factor if the person has one (threat-model.md MA2).
import { type MyAccountScope, myAccountAudience } from '../../data/apis/built-in'
import type { Description } from '../../http/description'
import { defineEndpoint, type Endpoint } from '../../http/endpoint'
import type { HttpRequest } from '../../http/message'
import { problemJson } from '../../http/render-errors'
import { listFactors } from '../../identity/mfa/enrolled'
import { preverifiedLogin } from '../../identity/mfa/prove'
import type { CountRequest } from '../../kernel/request-meter'
import { localeOf } from '../../pages/respond'
import { checkProven, hasProven } from '../../protocols/oauth/mfa-caller'
import { ownCaller } from '../requests/caller'
import type { Runtime } from '../runtime/runtime'
import type { MyAccountCall, MyAccountChange } from './kinds/kind'

type Methods = Endpoint<Runtime>['methods']

export const defineMyAccountEndpoint = (
  name: string,
  methods: Methods,
  describe: () => Omit<Description, 'tag'>,
): Endpoint<Runtime> =>
  defineEndpoint<Runtime>({
    name,
    limit: { GET: 'current_user', POST: 'mfa' },
    shed: 'last',
    refused: 'change_refused',
    cors: 'registered',
    errors: problemJson,
    methods,
    describe: () => ({ tag: 'My account', ...describe() }),
  })

export async function reading(
  scope: MyAccountScope,
  request: HttpRequest,
  runtime: Runtime,
  count: CountRequest,
): Promise<MyAccountCall> {
  const demand = { audience: myAccountAudience(runtime.baseUrl), scopes: [scope] }
  return { ...(await ownCaller(request, demand, runtime, count)), request, runtime }
}

export async function changing(
  scope: MyAccountScope,
  request: HttpRequest,
  runtime: Runtime,
  count: CountRequest,
): Promise<MyAccountChange> {
  const demand = { audience: myAccountAudience(runtime.baseUrl), scopes: [scope] }
  const caller = await ownCaller(request, demand, runtime, count)
  const { user, client, family } = caller
  const enrolments = await listFactors(user, runtime)
  checkProven(family, enrolments)
  const subject = {
    user,
    login: preverifiedLogin(user.id),
    typed: null,
    clientId: client.clientId,
    clientName: client.name,
    ip: request.ip,
    locale: localeOf(request, runtime.settings),
  }
  return { ...caller, request, runtime, enrolments, vouched: hasProven(family), subject }
}
