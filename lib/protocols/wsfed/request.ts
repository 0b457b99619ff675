// A sign-in request (WS-Federation 1.2, 13.2.1) → what the pipeline wants, once the target is proven (target.ts): errors
// from here on travel to the application. `wreq` and `wreqptr` are not read, and nothing is ever fetched (AZ8).
import type { Parameters } from '../../http/message'
import { invalidRequest } from '../../kernel/errors'
import type { Wants } from '../../login/transaction'
import { MULTI_FACTOR_ACR } from '../../mfa/policy'
import { MULTIPLE_AUTHENTICATION } from './names'
import type { Target } from './target'

/** Stored with the login transaction: what the answer needs, and what it takes to begin again. */
export type SignInRequest = {
  clientId: string
  /** What the application calls itself: the audience of its token. */
  realm: string
  reply: string
  context: string | null
  parameters: Record<string, string>
}

/** The parts of a profile that claims are made of: what a person is asked to agree to where consent is needed. */
const SCOPES = ['openid', 'profile', 'email']

export function parseSignIn(
  parameters: Parameters,
  { client: { clientId }, reply, context }: Target,
): { request: SignInRequest; wants: Wants } {
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
      organization: null,
    },
  }
}

/** Minutes since authentication that still count; none means that the person proves themselves now. */
function freshness(wfresh: string | undefined): Pick<Wants, 'prompt' | 'maxAge'> {
  if (wfresh === undefined) return { prompt: [], maxAge: null }
  if (!/^\d{1,7}$/.test(wfresh)) throw invalidRequest('Invalid parameter: wfresh')
  const minutes = Number(wfresh)
  return minutes === 0 ? { prompt: ['login'], maxAge: null } : { prompt: [], maxAge: minutes * 60 }
}

/** Microsoft's name of a second factor is as good as OpenID's. */
const contextsOf = (wauth: string | undefined): string[] =>
  wauth === undefined ? [] : [wauth === MULTIPLE_AUTHENTICATION ? MULTI_FACTOR_ACR : wauth]

const REPEATABLE = ['wa', 'wtrealm', 'wreply', 'wctx', 'whr', 'wfresh', 'wauth']

const repeatableOf = (parameters: Parameters): Record<string, string> =>
  Object.fromEntries(
    REPEATABLE.flatMap((name) => (parameters[name] === undefined ? [] : [[name, parameters[name] as string]])),
  )
