// What would happen in a login of a person: the application's request, the requirements and what the application is answered, as the
// endpoints make them, without a request, a session, a token or an assertion (docs/adr/0073).
import type { Attribute, NameId } from '../../../crypto/saml/messages'
import { NAME_ID } from '../../../crypto/saml/names'
import type { Client } from '../../../data/clients/client'
import { isPattern } from '../../../data/clients/url-patterns'
import type { PREVIEW_PROTOCOLS, PreviewedLogin, PreviewPort, PreviewQuestion } from '../../../data/logins/preview'
import { claimsOf, type InspectedStep, lineOf } from '../../../data/logins/step'
import { organizationNameIn } from '../../../data/organizations/client-organization'
import { secondsBetween } from '../../../kernel/clock'
import { DomainError } from '../../../kernel/errors'
import type { Parameters } from '../../../kernel/parameters'
import { requestStep, stepOfTokens } from '../../../login/inspected-steps'
import { foreseeLogin } from '../../../login/preview/foresee'
import type { LoginOutcome, Wants } from '../../../login/transaction'
import { readRequest } from '../../../protocols/oidc/read'
import type { Parsed } from '../../../protocols/oidc/request'
import { grantOf } from '../../../protocols/oidc/response'
import { parseAuthorizationTarget } from '../../../protocols/oidc/target'
import { parseLogin } from '../../../protocols/saml/request'
import { assertionFor, enabledFor } from '../../../protocols/saml/response'
import { jwtClaims, plainNames } from '../../../protocols/wsfed/jwt-token'
import { parseSignIn } from '../../../protocols/wsfed/request'
import { parseSignInTarget } from '../../../protocols/wsfed/target'
import { tokenValues } from '../../../protocols/wsfed/token'
import { newFamily } from '../../../tokens/birth'
import { foreseeTokens } from '../../../tokens/issue'
import type { Runtime } from '../runtime'

export const signInPreview =
  (runtime: Runtime): PreviewPort =>
  async (question) => {
    const client = await runtime.clients.find(question.clientId)
    if (!client) return refusedRequest('oidc', { client_id: question.clientId }, UNKNOWN)
    const protocol = question.protocol ?? protocolOf(client)
    return walk(BY_PROTOCOL[protocol](client, question, runtime), question, runtime)
  }

const UNKNOWN = new DomainError('unauthorized_client', 'Unknown client', { reason: 'unknown_client' })

const protocolOf = ({ settings: { addons } }: Client): (typeof PREVIEW_PROTOCOLS)[number] =>
  addons.samlp ? 'samlp' : addons.wsfed ? 'wsfed' : 'oidc'

/** What the application asks for, as the endpoint reads it, and what it would be answered. */
type Reading = {
  protocol: string
  parameters: Parameters
  read(): Promise<{ wants: Wants; answer(outcome: LoginOutcome): Promise<InspectedStep> }>
}

type Asking = (client: Client, question: PreviewQuestion, runtime: Runtime) => Reading

const BY_PROTOCOL: Readonly<Record<(typeof PREVIEW_PROTOCOLS)[number], Asking>> = {
  oidc: byOpenId,
  samlp: bySaml,
  wsfed: byWsFederation,
}

async function walk(
  { protocol, parameters, read }: Reading,
  question: PreviewQuestion,
  runtime: Runtime,
): Promise<PreviewedLogin> {
  let requested: Awaited<ReturnType<Reading['read']>>
  try {
    requested = await read()
  } catch (error) {
    if (error instanceof DomainError) return refusedRequest(protocol, parameters, error)
    throw error
  }
  const { outcome, ...foreseen } = await foreseeLogin(requested.wants, question, runtime)
  const steps = [requestStep(protocol, parameters, { wants: requested.wants }), ...foreseen.steps]
  return { ...foreseen, steps: outcome ? [...steps, await requested.answer(outcome)] : steps }
}

function byOpenId(client: Client, question: PreviewQuestion, runtime: Runtime): Reading {
  const parameters = parametersOf(client, question)
  return {
    ...{ protocol: 'oidc', parameters },
    async read() {
      const organization = await organizationNameIn(parameters.organization, client, runtime)
      const target = parseAuthorizationTarget(parameters, client, organization)
      const { request, wants } = await readRequest(parameters, target, runtime)
      return { wants, answer: (outcome) => tokensOf(request, outcome, runtime) }
    },
  }
}

/** Without an AuthnRequest: the response goes to the first callback. */
function bySaml(client: Client, { connection, organization }: PreviewQuestion, runtime: Runtime): Reading {
  const parameters = given({ connection, organization })
  return {
    ...{ protocol: 'saml', parameters },
    async read() {
      const settings = enabledFor(client)
      const name = await organizationNameIn(parameters.organization, client, runtime)
      const { request, wants } = parseLogin(null, parameters, client, settings, runtime, name)
      return {
        wants,
        async answer(outcome) {
          const assertion = await assertionFor(request, outcome, settings, runtime)
          if ('code' in assertion) throw new Error(`a SAML login without a request is answered by ${assertion.detail}`)
          return assertionStep('saml', named(assertion), { assertion: valuesOf(assertion.attributes) })
        },
      }
    },
  }
}

function byWsFederation(client: Client, { connection, organization }: PreviewQuestion, runtime: Runtime): Reading {
  const parameters = given({ wtrealm: `urn:${client.clientId}`, whr: connection, organization })
  return {
    ...{ protocol: 'wsfed', parameters },
    async read() {
      const name = await organizationNameIn(parameters.organization, client, runtime)
      const target = parseSignInTarget(parameters, client, name)
      const { request, wants } = parseSignIn(parameters, target)
      return {
        wants,
        async answer(outcome) {
          const isJwt = target.settings.tokenType === 'jwt'
          const settings = isJwt ? plainNames(target.settings) : target.settings
          const values = await tokenValues(request, outcome, settings, runtime)
          const { jti: _, ...claims } = isJwt ? jwtClaims(values) : valuesOf(values.attributes)
          const facts = { ...named(values), recipient: request.reply }
          return assertionStep('wsfed', facts, isJwt ? { token: claims } : { assertion: claims })
        },
      }
    },
  }
}

type AssertionFacts = {
  nameId: { value: string; format: string }
  audience: string
  recipient?: string
  issuedAt: Date
  expiresAt: Date
}

/** Of the assertion for an application, or the JWT in its place; what it says by its names. */
const assertionStep = (
  protocol: string,
  { nameId, audience, recipient, issuedAt, expiresAt }: AssertionFacts,
  claims: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
): InspectedStep => ({
  kind: 'tokens',
  subject: protocol,
  outcome: 'ok',
  lines: [
    lineOf('name_id', 'none', { value: nameId.value }),
    lineOf('name_id_format', 'none', { value: nameId.format }),
    lineOf('audience', 'none', { value: audience }),
    ...(recipient === undefined ? [] : [lineOf('recipient', 'none', { value: recipient })]),
    lineOf('seconds', 'none', { value: String(secondsBetween(issuedAt, expiresAt)) }),
  ],
  claims: Object.fromEntries(Object.entries(claims).map(([name, each]) => [name, claimsOf(each)])),
})

/** A name for one session is made with it. */
const named = <Of extends { nameId: NameId }>(assertion: Of): Of =>
  assertion.nameId.format === NAME_ID.transient
    ? { ...assertion, nameId: { ...assertion.nameId, value: '' } }
    : assertion

/** By their names, one value as it is. */
const valuesOf = (attributes: readonly Attribute[]): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ name, values }) => [name, values.length === 1 ? values[0] : values]))

const given = (parameters: Readonly<Record<string, string | null | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(parameters).filter((pair): pair is [string, string] => typeof pair[1] === 'string'))

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
  return {
    ...{ client_id: clientId, scope, state: 'preview' },
    ...(byCode
      ? { response_type: 'code', code_challenge: 'A'.repeat(43), code_challenge_method: 'S256' }
      : { response_type: 'id_token token', nonce: 'preview' }),
    ...given({ redirect_uri: callback, connection, organization, audience }),
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
