// What the login inspector shows of a login: the steps that are no events of the audit log. Values are those that an operator needs to find a mistake;
// of what binds or authenticates (state, nonce, hints, tickets) only that it is there.
import type { AssertionCheck } from '../crypto/saml/check-list'
import type { UpstreamConnection } from '../data/connections/connection'
import type { Departure, UpstreamError, UpstreamIdentity } from '../data/connections/upstream/upstream'
import { claimsOf, type InspectedStep, lineOf, type StepLine } from '../data/logins/step'
import { type Effects, type ObservedAction, reasonOfDenial } from '../identity/tenant-code/trigger'
import type { DomainError } from '../kernel/errors'
import { isJsonObject, type Json, objectIn } from '../kernel/json'
import type { Parameters } from '../kernel/parameters'
import { parseUrl } from '../kernel/url'
import type { LoginScreen } from '../pages/screens'
import type { LoginState } from './login-state'
import type { Wants } from './transaction'

const SHOWN: ReadonlySet<string> = new Set([
  ...[
    'client_id',
    'response_type',
    'response_mode',
    'scope',
    'audience',
    'resource',
    'prompt',
    'max_age',
    'acr_values',
  ],
  ...['connection', 'organization', 'ui_locales', 'screen_hint', 'code_challenge_method', 'display'],
  ...['wtrealm', 'wa', 'wreply', 'whr', 'wfresh', 'wauth', 'client-id', 'redirect_uri'],
])

const PRESENT: ReadonlySet<string> = new Set([
  ...[
    'state',
    'nonce',
    'code_challenge',
    'login_hint',
    'id_token_hint',
    'claims',
    'request',
    'request_uri',
    'dpop_jkt',
  ],
  ...['invitation', 'login_ticket', 'SAMLRequest', 'RelayState', 'Signature', 'SigAlg', 'wctx', 'wct'],
])

/** A URL without what may be secret in it. */
const plainUrl = (text: string): string => parseUrl(text)?.href.replace(/[?#].*$/s, '') ?? text

export function requestStep(
  protocol: string,
  parameters: Parameters,
  { wants, error }: { wants?: Wants; error?: DomainError } = {},
): InspectedStep {
  const sent = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const refused = error && (error.parameter ?? (IN_PROTOCOL[protocol] ?? PARAMETER_OF)[error.reason])
  const lines = sent.map(([name, text]) => parameterLine(name, text, name === refused ? error : undefined, wants))
  if (error && refused !== undefined && !sent.some(([name]) => name === refused))
    lines.push(lineOf(refused, 'failed', { says: error.detail ?? error.description }))
  return {
    kind: 'request',
    subject: protocol,
    outcome: error ? 'failed' : 'ok',
    reason: error?.reason,
    says: error && (error.detail ?? error.description),
    lines,
  }
}

const PARAMETER_OF: Readonly<Record<string, string>> = {
  unknown_client: 'client_id',
  missing_client_id: 'client_id',
  callback_not_registered: 'redirect_uri',
  callback_missing: 'redirect_uri',
  response_type_not_allowed: 'response_type',
  response_mode_unsupported: 'response_mode',
  pkce_required: 'code_challenge',
  pkce_malformed: 'code_challenge',
  api_unknown: 'audience',
  api_not_for_client: 'audience',
  id_token_hint_invalid: 'id_token_hint',
}

/** Where they have names of their own. */
const IN_PROTOCOL: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  wsfed: {
    unknown_client: 'wtrealm',
    missing_client_id: 'wtrealm',
    clients_differ: 'wtrealm',
    callback_not_registered: 'wreply',
    callback_missing: 'wreply',
  },
  saml: {
    callback_not_registered: 'SAMLRequest',
    callback_missing: 'SAMLRequest',
    saml_message_invalid: 'SAMLRequest',
    signature_missing: 'Signature',
    signature_invalid: 'Signature',
    signature_algorithm: 'SigAlg',
  },
}

function parameterLine(name: string, text: string, error: DomainError | undefined, wants: Wants | undefined): StepLine {
  const value = SHOWN.has(name) ? (/_uri$|^wreply$/.test(name) ? plainUrl(text) : text) : undefined
  if (error) return lineOf(name, 'failed', { value, says: error.detail ?? error.description })
  if (name === 'scope' && wants?.dropped)
    return lineOf(name, 'ignored', { value, says: `not granted: ${wants.dropped.scopes.join(' ')}` })
  return lineOf(name, SHOWN.has(name) || PRESENT.has(name) ? 'ok' : 'ignored', { value })
}

/** `missing` is the first thing that is not met, and so what the person is asked for. */
export function sessionStep(
  { evidence, decisions, user, remembered, connections }: LoginState,
  missing: string | null,
): InspectedStep {
  const proofs = evidence.map(({ method, at, connection }) => lineOf(method, 'ok', { value: `${connection}, ${at}` }))
  return {
    kind: 'session',
    subject: user ? 'found' : decisions.sessionEnded ? 'ended' : 'none',
    outcome: 'none',
    lines: [
      ...proofs,
      lineOf('remembered_accounts', 'none', { value: String(remembered.length) }),
      lineOf('connections', 'none', { value: connections.map(({ name }) => name).join(', ') }),
      lineOf('missing', missing === null ? 'ok' : 'none', { value: missing ?? 'nothing' }),
    ],
  }
}

export const pageStep = (
  screen: LoginScreen | 'passwordless-link',
  facts: { action?: string | undefined; notice?: string | undefined },
): InspectedStep => ({
  kind: 'page',
  subject: screen,
  outcome: 'none',
  lines: Object.entries(facts).flatMap(([name, value]) => (value ? [lineOf(name, 'none', { value })] : [])),
})

export function providerRequestStep(
  { name, strategy }: UpstreamConnection,
  to: Departure,
  why: 'requested' | 'chosen' | 'domain',
): InspectedStep {
  const url = parseUrl(typeof to === 'string' ? to : to.action)
  const names = typeof to === 'string' ? [...(url?.searchParams.keys() ?? [])] : Object.keys(to.fields)
  return {
    kind: 'provider_request',
    subject: name,
    outcome: 'ok',
    lines: [
      lineOf('strategy', 'none', { value: strategy }),
      lineOf('why', 'none', { value: why }),
      lineOf('address', 'none', { value: url ? url.origin + url.pathname : '' }),
      ...names.map((parameter) =>
        lineOf(parameter, 'none', {
          value: SENT.has(parameter) ? (url?.searchParams.get(parameter) ?? undefined) : undefined,
        }),
      ),
    ],
  }
}

const SENT: ReadonlySet<string> = new Set([
  ...[
    'client_id',
    'response_type',
    'response_mode',
    'scope',
    'prompt',
    'max_age',
    'redirect_uri',
    'wtrealm',
    'wa',
    'wreply',
  ],
])

const checkLines = (checks: readonly AssertionCheck[]): StepLine[] =>
  checks.map(({ name, problem }) => lineOf(name, problem === null ? 'ok' : 'failed', { says: problem ?? undefined }))

export const providerFailureStep = (
  { name, strategy }: { name: string; strategy: string },
  { failure, reason, message, checks }: UpstreamError,
): InspectedStep => ({
  kind: 'provider_answer',
  subject: name,
  outcome: 'failed',
  reason,
  says: message,
  lines: [
    lineOf('strategy', 'none', { value: strategy }),
    lineOf('failure', 'failed', { value: failure }),
    ...checkLines(checks),
  ],
})

export const providerAnswerStep = (
  { name, strategy }: UpstreamConnection,
  { received, profile, provider, providerUserId, missed }: UpstreamIdentity,
): InspectedStep => ({
  kind: 'provider_answer',
  subject: name,
  outcome: 'ok',
  lines: [
    lineOf('strategy', 'none', { value: strategy }),
    ...checkLines(received?.checks ?? []),
    lineOf('user_id', 'ok', { value: `${provider}|${providerUserId}` }),
    ...(missed === undefined ? [] : [lineOf('profile', 'failed', { says: missed })]),
  ],
  claims: {
    ...(received ? { [received.kind]: claimsOf(received.claims) } : {}),
    mapped: claimsOf({ ...profile }),
  },
})

/** What the tenant's actions did to the login. */
export function actionsStep(trigger: string, effects: Effects): InspectedStep {
  const { denied, redirect, multifactor, addScopes, removeScopes, suspended } = effects
  const facts = {
    denied: denied?.reason,
    redirect: redirect ? plainUrl(redirect.url) : undefined,
    second_factor: multifactor?.kind,
    waits_for: suspended?.awaits,
    scopes_added: addScopes.join(' '),
    scopes_removed: removeScopes.join(' '),
    user_metadata: Object.keys(effects.userMetadata).join(', '),
    app_metadata: Object.keys(effects.appMetadata).join(', '),
  }
  return {
    kind: 'actions',
    subject: trigger,
    outcome: denied ? 'failed' : 'ok',
    reason: denied ? reasonOfDenial(denied) : undefined,
    lines: Object.entries(facts).flatMap(([name, value]) =>
      value ? [lineOf(name, name === 'denied' ? 'failed' : 'none', { value })] : [],
    ),
    claims: {
      id_token: claimsOf(effects.idTokenClaims),
      access_token: claimsOf(effects.accessTokenClaims),
    },
  }
}

/** One action: how it ended, what it saw and what it decided. Metadata and parameters of the request are named only: they may be secrets of the tenant's own. */
export function actionStep({
  name,
  trigger,
  outcome,
  failure,
  milliseconds,
  event,
  before,
  after,
}: ObservedAction): InspectedStep {
  const isFailed = failure !== null || (after.denied !== null && before.denied === null)
  const { denied } = after
  return {
    kind: 'action',
    subject: name,
    outcome: isFailed ? 'failed' : 'ok',
    reason: denied ? reasonOfDenial(denied) : failure === null ? undefined : 'action_failed',
    says: failure ?? denied?.reason,
    lines: [
      lineOf('trigger', 'none', { value: trigger }),
      lineOf('outcome', isFailed ? 'failed' : 'ok', { value: outcome, says: failure ?? undefined }),
      lineOf('milliseconds', 'none', { value: String(milliseconds) }),
      ...decisionLines(before, after),
    ],
    claims: {
      input: claimsOf(reducedEvent(event)),
      id_token: claimsOf(addedTo(before.idTokenClaims, after.idTokenClaims)),
      access_token: claimsOf(addedTo(before.accessTokenClaims, after.accessTokenClaims)),
    },
  }
}

function decisionLines(before: Effects, after: Effects): StepLine[] {
  const { denied, redirect, multifactor, primaryUser } = after
  const facts = {
    denied: denied?.code,
    redirect: redirect ? plainUrl(redirect.url) : undefined,
    second_factor: multifactor === before.multifactor ? undefined : factorWish(after),
    goes_on_as: primaryUser === before.primaryUser ? undefined : primaryUser,
    scopes_added: without(before.addScopes, after.addScopes),
    scopes_removed: without(before.removeScopes, after.removeScopes),
    user_metadata: without(Object.keys(before.userMetadata), Object.keys(after.userMetadata)),
    app_metadata: without(Object.keys(before.appMetadata), Object.keys(after.appMetadata)),
  }
  return Object.entries(facts).flatMap(([name, value]) =>
    value ? [lineOf(name, name === 'denied' ? 'failed' : 'none', { value })] : [],
  )
}

function factorWish({ multifactor }: Effects): string | undefined {
  if (!multifactor) return undefined
  const types = multifactor.kind === 'none' ? [] : multifactor.factors.map(({ type }) => type)
  return [multifactor.kind, ...types].join(' ')
}

const without = (before: readonly string[], after: readonly string[]): string =>
  after.filter((each) => !before.includes(each)).join(' ')

const addedTo = (before: Readonly<Record<string, Json>>, after: Readonly<Record<string, Json>>) =>
  Object.fromEntries(
    Object.entries(after).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name])),
  )

/** By member of the event, the members of it that are shown. */
const SEEN: Readonly<Record<string, readonly string[]>> = {
  client: ['client_id', 'name'],
  connection: ['id', 'name', 'strategy'],
  organization: ['id', 'name'],
  user: ['user_id', 'email', 'email_verified', 'username', 'phone_number', 'name', 'blocked'],
  authorization: ['roles'],
  authentication: ['methods', 'riskAssessment'],
  resource_server: ['identifier'],
  stats: ['logins_count'],
  request: ['ip', 'method', 'language', 'user_agent', 'geoip'],
  transaction: ['protocol', 'requested_scopes', 'acr_values', 'locale'],
}

function reducedEvent(event: object): Record<string, unknown> {
  const shown = Object.entries(SEEN).flatMap(([part, names]) => {
    const whole = objectIn((event as Record<string, unknown>)[part])
    const members = Object.entries(whole).filter(([name]) => names.includes(name))
    return members.length === 0 ? [] : [[part, Object.fromEntries(members)] as const]
  })
  const user = objectIn((event as Record<string, unknown>).user)
  const named = ['user_metadata', 'app_metadata'].flatMap((name) => {
    const keys = Object.keys(objectIn(user[name]))
    return keys.length === 0 ? [] : [[`${name} (names)`, keys] as const]
  })
  return Object.fromEntries([...shown, ...named])
}

/** The tokens of a response, decoded. An access token without an API is opaque. */
export function tokensStep(
  grant: string,
  tokens: {
    access_token: string
    token_type: string
    expires_in: number
    id_token?: string
    refresh_token?: string
    scope?: string
  },
): InspectedStep {
  return stepOfTokens(grant, {
    ...{ scope: tokens.scope ?? '', seconds: tokens.expires_in, kind: tokens.token_type },
    refreshes: tokens.refresh_token !== undefined,
    claims: { id_token: payloadOf(tokens.id_token), access_token: payloadOf(tokens.access_token) },
  })
}

type TokenFacts = {
  scope: string
  seconds: number
  kind: string
  refreshes: boolean
  claims: Readonly<Record<string, Readonly<Record<string, unknown>> | null>>
}

/** Of tokens that were issued, or would be. */
export const stepOfTokens = (
  grant: string,
  { scope, seconds, kind, refreshes, claims }: TokenFacts,
): InspectedStep => ({
  kind: 'tokens',
  subject: grant,
  outcome: 'ok',
  lines: [
    lineOf('scope', 'none', { value: scope }),
    lineOf('seconds', 'none', { value: String(seconds) }),
    lineOf('kind', 'none', { value: kind }),
    lineOf('refreshes', 'none', { value: refreshes ? 'yes' : 'no' }),
  ],
  claims: Object.fromEntries(Object.entries(claims).flatMap(([name, each]) => (each ? [[name, claimsOf(each)]] : []))),
})

function payloadOf(token: string | undefined): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(token?.split('.')[1] ?? '', 'base64url').toString())
    return isJsonObject(value) ? value : null
  } catch {
    return null
  }
}
