// What would happen in a login of a person: the application's request, the requirements and the tokens, as the endpoints make them, without a
// request, a session or a token (docs/adr/0073).
import type { Client } from '../../../data/clients/client'
import { isPattern } from '../../../data/clients/url-patterns'
import type { PreviewedLogin, PreviewPort, PreviewQuestion } from '../../../data/logins/preview'
import { organizationNameIn } from '../../../data/organizations/client-organization'
import { DomainError } from '../../../kernel/errors'
import type { Parameters } from '../../../kernel/parameters'
import { plainWants } from '../../../login/begin/plain-wants'
import { requestStep, stepOfTokens } from '../../../login/inspected-steps'
import { foreseeLogin } from '../../../login/preview/foresee'
import type { LoginOutcome } from '../../../login/transaction'
import { readRequest } from '../../../protocols/oidc/read'
import type { Parsed } from '../../../protocols/oidc/request'
import { grantOf } from '../../../protocols/oidc/response'
import { parseAuthorizationTarget } from '../../../protocols/oidc/target'
import { newFamily } from '../../../tokens/birth'
import { foreseeTokens } from '../../../tokens/issue'
import type { Runtime } from '../runtime'

export const signInPreview =
  (runtime: Runtime): PreviewPort =>
  async (question) => {
    const client = await runtime.clients.find(question.clientId)
    if (!client) return refusedRequest('oidc', { client_id: question.clientId }, UNKNOWN)
    return signsInByAssertion(client) ? bySaml(client, question, runtime) : byOpenId(client, question, runtime)
  }

const UNKNOWN = new DomainError('unauthorized_client', 'Unknown client', { reason: 'unknown_client' })

/** An application without a callback that has the add-on sends SAML requests. */
const signsInByAssertion = ({ settings: { callbacks, addons } }: Client): boolean =>
  callbacks.length === 0 && addons.samlp !== undefined

async function bySaml(client: Client, question: PreviewQuestion, runtime: Runtime): Promise<PreviewedLogin> {
  const { connection, organization } = question
  const wants = {
    ...plainWants({ clientId: client.clientId, scopes: ['openid', 'profile', 'email'], audience: null }),
    ...{ connection, organization },
  }
  const { outcome: _, ...foreseen } = await foreseeLogin(wants, question, runtime)
  return { ...foreseen, steps: [requestStep('saml', { client_id: client.clientId }, { wants }), ...foreseen.steps] }
}

async function byOpenId(client: Client, question: PreviewQuestion, runtime: Runtime): Promise<PreviewedLogin> {
  const parameters = parametersOf(client, question)
  let parsed: Parsed
  try {
    const organization = await organizationNameIn(parameters.organization, client, runtime)
    parsed = await readRequest(parameters, parseAuthorizationTarget(parameters, client, organization), runtime)
  } catch (error) {
    if (error instanceof DomainError) return refusedRequest('oidc', parameters, error)
    throw error
  }
  const { request, wants } = parsed
  const { outcome, ...foreseen } = await foreseeLogin(wants, question, runtime)
  const steps = [requestStep('oidc', parameters, { wants }), ...foreseen.steps]
  return { ...foreseen, steps: outcome ? [...steps, await tokensOf(request, outcome, runtime)] : steps }
}

const refusedRequest = (protocol: string, parameters: Parameters, error: DomainError): PreviewedLogin => ({
  ...{ reason: error.reason, connection: null, code: [] },
  steps: [requestStep(protocol, parameters, { error })],
})

/** What an SDK sends that has no options but these. */
function parametersOf({ clientId, grantTypes: grants, settings }: Client, question: PreviewQuestion): Parameters {
  const { connection, organization, audience, scope } = question
  const { callbacks } = settings
  const byCode = grants.has('authorization_code') || !grants.has('implicit')
  const callback = callbacks.find((each) => !isPattern(each)) ?? callbacks[0]?.replace(/\*|\{[^}]*\}/, 'preview')
  const optional = { redirect_uri: callback, connection, organization, audience }
  return {
    ...{ client_id: clientId, scope, state: 'preview' },
    ...(byCode
      ? { response_type: 'code', code_challenge: 'A'.repeat(43), code_challenge_method: 'S256' }
      : { response_type: 'id_token token', nonce: 'preview' }),
    ...Object.fromEntries(Object.entries(optional).filter(([, value]) => typeof value === 'string')),
  }
}

async function tokensOf(request: Parsed['request'], outcome: LoginOutcome, runtime: Runtime) {
  const { client, user, scopes, ip } = outcome
  const granted = grantOf(request, outcome, runtime)
  const api = outcome.audience === null ? null : await runtime.apis.find(outcome.audience)
  const { authentication, familyId: id, audience, sid, nonce } = granted
  const family = newFamily(
    { id, userId: user.id, scopes, audience, sid, authentication, gty: null },
    client,
    runtime.clock.now(),
  )
  const { keyring: _key, vault: _vault, ...issuing } = runtime.issuing()
  const authorization = {
    ...{ client, user, api, family, scopes, nonce, refreshGeneration: family.generation },
    protocol: 'oidc-basic-profile',
  }
  const foreseen = await foreseeTokens(authorization, { ip }, issuing)
  const isByCode = request.responseType.split(' ').includes('code')
  return stepOfTokens(isByCode ? 'authorization_code' : 'implicit', {
    ...{ scope: foreseen.scopes.join(' '), seconds: foreseen.seconds, kind: 'Bearer' },
    refreshes: isByCode && family.generation !== null,
    claims: { id_token: withoutMade(foreseen.idToken), access_token: withoutMade(foreseen.accessToken) },
  })
}

/** What only a token that was made has. */
function withoutMade(claims: Readonly<Record<string, unknown>> | null) {
  if (claims === null) return null
  const { sid: _sid, jti: _jti, nonce: _nonce, ...kept } = claims
  return kept
}
