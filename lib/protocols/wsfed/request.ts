// A sign-in request (WS-Federation 1.2, 13.2.1) → what the login pipeline needs. target.ts has proven the target before, so
// errors from here on are sent to the application. `wreq` and `wreqptr` are ignored, and nothing is ever fetched (AZ8).

import { MULTI_FACTOR_ACR } from '../../identity/mfa/acr'
import { malformedParameter } from '../../kernel/errors'
import type { Parameters } from '../../kernel/parameters'
import type { Wants } from '../../login/transaction'
import { MULTIPLE_AUTHENTICATION } from './names'
import type { WsFedTarget } from './target'

/** Stored with the login transaction: everything that the response needs, and the parameters that restart the request. */
export type WsFedSignIn = {
  clientId: string
  /** The application's own identifier: the audience of its token. */
  realm: string
  reply: string
  context: string | null
  parameters: Record<string, string>
}

/** The claims come from these parts of the profile; the user consents to them where consent is needed. */
const SCOPES = ['openid', 'profile', 'email']

export function parseSignIn(
  parameters: Parameters,
  { client: { clientId }, reply, context }: WsFedTarget,
): { request: WsFedSignIn; wants: Wants } {
  const realm = parameters.wtrealm ?? `urn:${clientId}`
  return {
    request: { clientId, realm, reply, context, parameters: repeatableOf(parameters) },
    wants: {
      clientId,
      redirectUri: reply,
      scopes: SCOPES,
      audience: null,
      ...freshness(parameters.wfresh),
      acrValues: contextsOf(parameters.wauth),
      connection: parameters.whr?.replace(/^urn:/, '') ?? null,
      loginHint: null,
      subject: null,
      screenHint: null,
      uiLocales: null,
      organization: parameters.organization ?? null,
    },
  }
}

/** `wfresh`: the largest age of the authentication, in minutes. Zero requires a new login. */
function freshness(wfresh: string | undefined): Pick<Wants, 'prompt' | 'maxAge'> {
  if (wfresh === undefined) return { prompt: [], maxAge: null }
  if (!/^\d{1,7}$/.test(wfresh)) throw malformedParameter('wfresh')
  const minutes = Number(wfresh)
  return minutes === 0 ? { prompt: ['login'], maxAge: null } : { prompt: [], maxAge: minutes * 60 }
}

/** Microsoft's identifier for a second factor equals OpenID's. */
const contextsOf = (wauth: string | undefined): string[] =>
  wauth === undefined ? [] : [wauth === MULTIPLE_AUTHENTICATION ? MULTI_FACTOR_ACR : wauth]

const REPEATABLE = ['wa', 'wtrealm', 'wreply', 'wctx', 'whr', 'wfresh', 'wauth', 'organization']

const repeatableOf = (parameters: Parameters): Record<string, string> =>
  Object.fromEntries(
    REPEATABLE.flatMap((name) => (parameters[name] === undefined ? [] : [[name, parameters[name] as string]])),
  )
