// The response to a sign-in request (WS-Federation 1.2, 13.2.3): a form that posts the token, or a SOAP fault, to the address
// that target.ts proved, with `wctx` unchanged.
// - The assertion must be the first node inside RequestedSecurityToken: relying parties read that node, even if it is white
//   space.

import { element, written } from '../../crypto/saml/write'
import { ACTION, WS } from '../../crypto/saml/ws-federation'
import { type WsFedSettings, wsfedOf } from '../../data/clients/wsfed'
import type { RequestDescription } from '../../identity/tenant-code/events'
import { type DomainError, unauthorizedClient } from '../../kernel/errors'
import type { LoginOutcome, LoginProtocol, Restart } from '../../login/transaction'
import type { VisitorResponse } from '../../login/visitor-response'
import { plainNames } from './jwt-token'
import type { WsFedSignIn } from './request'
import { issueToken, type WsFedTokenDeps } from './token'

export type WsFedDeps = WsFedTokenDeps & { baseUrl: string }

type Answering = Pick<WsFedSignIn, 'reply' | 'context'>

export const wsfedProtocol = (deps: WsFedDeps): LoginProtocol => ({
  respond: (request, outcome) => answer(request as WsFedSignIn, outcome, deps),
  refuse: (request, error) => refuse(request as WsFedSignIn, error),
  describe: (request) => describe(request as WsFedSignIn),
  restart: (request) => restart(request as WsFedSignIn, deps),
})

const describe = ({ reply, parameters }: WsFedSignIn): RequestDescription => ({
  protocol: 'wsfed',
  redirectUri: reply,
  query: parameters,
})

const restart = ({ clientId, parameters }: WsFedSignIn, { baseUrl }: WsFedDeps): Restart => ({
  url: `${baseUrl}/wsfed/${encodeURIComponent(clientId)}?${new URLSearchParams(parameters)}`,
  replays: parameters.wctx !== undefined,
})

async function answer(request: WsFedSignIn, outcome: LoginOutcome, deps: WsFedDeps): Promise<VisitorResponse> {
  const settings: WsFedSettings | null = wsfedOf(outcome.client)
  if (!settings)
    return refuse(
      request,
      unauthorizedClient('WS-Federation is not enabled for this client', { reason: 'wsfed_not_enabled' }),
    )
  if (settings.tokenType === 'jwt') return post(request, await issueToken(request, outcome, plainNames(settings), deps))
  const token = await issueToken(request, outcome, settings, deps)
  const result = element(
    't:RequestSecurityTokenResponse',
    { 'xmlns:t': WS.trust, Context: request.context ?? '' },
    element('t:RequestedSecurityToken', {}, written(token)),
  )
  return post(request, result.xml)
}

/** The target must be proven. */
export function refuse(answering: Answering, { code, description }: DomainError): VisitorResponse {
  const subcode = element(
    's:Subcode',
    {},
    element('s:Value', { 'xmlns:t': WS.trust }, FAULTS[code] ?? 't:RequestFailed'),
  )
  const fault = element(
    's:Fault',
    { 'xmlns:s': WS.soap },
    element('s:Code', {}, element('s:Value', {}, 's:Sender'), subcode),
    element('s:Reason', {}, element('s:Text', { 'xml:lang': 'en' }, description)),
    element('s:Detail', {}, code),
  )
  return post(answering, fault.xml)
}

/** WS-Trust, section 11. */
const FAULTS: Partial<Record<DomainError['code'], string>> = {
  invalid_request: 't:InvalidRequest',
  access_denied: 't:FailedAuthentication',
  login_required: 't:FailedAuthentication',
  unauthorized: 't:FailedAuthentication',
}

const post = ({ reply, context }: Answering, result: string): VisitorResponse => ({
  kind: 'form',
  to: reply,
  fields: { wa: ACTION.signIn, wresult: result, ...(context === null ? {} : { wctx: context }) },
})
