// The test of a login (docs/adr/0072), from its start to its answer, which is received in place of the application: the code is exchanged within the
// process. No token leaves the server, or is stored. The test of an add-on ends within (lib/protocols/test/protocol.ts).

import { sharePath } from '../../data/login-tests/login-share'
import {
  beginTest,
  claimAnswer,
  exchangeOf,
  type LoginTest,
  takeTest,
  testOfAnswer,
} from '../../data/login-tests/login-test'
import { readCookies } from '../../http/cookies'
import { type HttpRequest, type HttpResponse, queryParameters, redirect } from '../../http/message'
import { DomainError, invalidRequest } from '../../kernel/errors'
import type { Parameters } from '../../kernel/parameters'
import { tokensStep } from '../../login/inspected-steps'
import { authorizationCode } from '../../protocols/oauth/grants/authorization-code'
import { issueTokens, type TokenResponse } from '../../tokens/issue'
import { setCookies } from '../login-http/respond'
import type { Runtime } from '../runtime/runtime'
import { beginAnswerTest } from './answer-test'

export async function startTest(request: HttpRequest, runtime: Runtime): Promise<HttpResponse> {
  const test = await takeTest(queryParameters(request).ticket ?? '', runtime)
  if (!test) throw testOver()
  const { to, cookie } = beginTest(test, runtime)
  const response =
    test.protocol === undefined ? redirect(to, 303) : await beginAnswerTest(test, test.protocol, request, runtime)
  return setCookies(response, [cookie], runtime)
}

export async function receiveAnswer(answer: Parameters, request: HttpRequest, runtime: Runtime): Promise<HttpResponse> {
  const { state = '' } = answer
  const answered = testOfAnswer(state, readCookies(request, runtime).test, runtime)
  if (!answered || !(await claimAnswer(state, answered.test, runtime))) throw testOver()
  const { test, link } = answered
  runtime.trail.follow(test.login)
  runtime.trail.context({ tested: true })
  await take(answer, test, request, runtime)
  await runtime.trail.settled()
  await runtime.storeLogins()
  return redirect(runtime.baseUrl + (link === null ? `/console/logins/${test.login}` : sharePath(link)), 303)
}

/** What an answer has is decoded for the inspector. A refusal is there already. */
async function take(answer: Parameters, test: LoginTest, request: HttpRequest, runtime: Runtime): Promise<void> {
  const { code, access_token, id_token, expires_in = '0', token_type = 'Bearer', scope } = answer
  if (access_token !== undefined || id_token !== undefined)
    runtime.trail.step(() =>
      tokensStep('implicit', {
        ...{ access_token: access_token ?? '', token_type, expires_in: Number(expires_in) },
        ...(id_token === undefined ? {} : { id_token }),
        ...(scope === undefined ? {} : { scope }),
      }),
    )
  if (code === undefined) return
  try {
    await exchange(code, test, request, runtime)
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    runtime.report(error, request, { name: 'login_test.callback', refused: authorizationCode.events.refused })
  }
}

/** As at the token endpoint, but for the authentication of the application. What it began ends at once. */
async function exchange(code: string, test: LoginTest, { ip }: HttpRequest, runtime: Runtime): Promise<void> {
  const client = await runtime.clients.find(test.clientId)
  if (!client) return
  runtime.trail.context({ client, grant: authorizationCode.type })
  const from = { ip, jkt: undefined, request: () => ({}) as never }
  const authorization = await authorizationCode.authorize(exchangeOf(code, test, runtime), client, runtime, from)
  const tokens: TokenResponse = await issueTokens(authorization, from, runtime.issuing())
  runtime.trail.record(authorizationCode.events.done, { client, scopes: authorization.scopes })
  runtime.trail.step(() => tokensStep(authorizationCode.type, tokens))
  if ('family' in authorization && authorization.family.sid !== null)
    await runtime.sessions.revoke(authorization.family.sid, runtime.clock.now(), true)
}

const testOver = (): Error =>
  invalidRequest('The test of a login is over, or this browser did not begin it', {
    reason: 'login_test_over',
    redirectable: false,
    page: { code: 'link_expired' },
  })
