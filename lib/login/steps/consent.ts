// The user agrees to what the application will learn and may do: exactly the scopes that the page lists, or none.
import { isTransactional } from '../../data/apis/api'
import { asksConsent, type Consent, consentAudience, covers } from '../../data/consent/consent'
import { parseUrl } from '../../kernel/url'
import { mayChangeSignIn } from '../flow/authenticated'
import { toProve } from '../flow/linking'
import { changeOf, linksOf, personView } from '../flow/person-views'
import type { FormAction } from '../forms/action'
import type { LoginState } from '../login-state'
import type { Wants } from '../transaction'
import type { LoginPage, LoginStep } from './step'

declare module '../transaction' {
  interface Decisions {
    consent?: Pick<Consent, 'audience' | 'scopes'>
  }
}

const acceptConsent: FormAction = {
  name: 'accept',
  run: (state) => ({
    kind: 'progress',
    decisions: {
      ...state.decisions,
      consent: { audience: consentAudience(state.api), scopes: toAgree(state.wants) },
    },
  }),
}

const denyConsent: FormAction = {
  name: 'deny',
  run: () => ({ kind: 'refused', description: 'User did not authorize the request', reason: 'person_refused_consent' }),
}

const page: LoginPage<'consent'> = {
  screen: 'consent',
  view: ({ state, shared }) => ({
    ...shared,
    screen: 'consent',
    client: { ...shared.client, ...promisesOf(state) },
    user: personView(state.user),
    scopes: toAgree(state.wants).map((value) => scopeView(value, state)),
    ...(state.api ? { audienceName: state.api.name } : {}),
    ...changeOf(state),
  }),
  actions: [acceptConsent, denyConsent],
}

export const consented: LoginStep = {
  name: 'consented',
  unmet: (state) => toProve(state) === null && !hasConsented(state),
  pages: [page],
  refusal: { code: 'consent_required', description: 'Consent required' },
}

/** Neither the browser's session nor an earlier consent gives a client the power to change how users sign in (threat-model.md BF22). */
export const changeConfirmed: LoginStep = {
  name: 'change-confirmed',
  unmet: (state) => toProve(state) === null && mayChangeSignIn(state) && !isProvenHere(state) && !isAgreedHere(state),
  pages: [page],
  refusal: { code: 'login_required', description: 'Login required' },
}

/**
 * The owner of the client and its links. A third-party client chooses its own name, so the page also shows where the response
 * goes.
 */
const promisesOf = ({ client, wants }: LoginState) => ({
  ...(client.settings.is_first_party
    ? { thirdParty: false }
    : { thirdParty: true, ...placeOf(parseUrl(wants.redirectUri)) }),
  ...linksOf(client),
})

/** A native app is shown by its URL scheme. A host with non-ASCII letters is shown in its ASCII (punycode) form. */
const placeOf = (url: URL | null) =>
  url ? { returnsTo: /^https?:$/.test(url.protocol) ? url.host : url.protocol } : {}

function scopeView(value: string, { api }: LoginState) {
  const description = api?.scopes.get(value)
  return description === undefined ? { value } : { value, description }
}

/**
 * Whether the person authenticated for this login, on a page of it. A provider may have answered from a session of its own. A login that
 * started elsewhere may have been started by another person.
 */
const isProvenHere = ({ wants, evidence }: LoginState): boolean =>
  wants.startedElsewhere === undefined &&
  evidence.some(({ method, inherited }) => !inherited && method !== 'mfa' && method !== 'fed')

const isAgreedHere = ({ wants, decisions: { consent }, api }: LoginState): boolean =>
  consent?.audience === consentAudience(api) && covers(consent.scopes, toAgree(wants))

function hasConsented(state: LoginState): boolean {
  const question = consentQuestion(state)
  if (isAgreedHere(state) || !asksConsent(question)) return true
  return !question.forced && covers(state.agreed, question.scopes)
}

/** All scopes that the user sees and consents to: what the client will learn and may do. */
const toAgree = ({ scopes, claimScopes = [] }: Wants): string[] => [...new Set([...scopes, ...claimScopes])]

export const consentQuestion = ({ client, api, wants }: Pick<LoginState, 'client' | 'api' | 'wants'>) => ({
  client,
  api,
  redirectUri: wants.redirectUri,
  scopes: toAgree(wants),
  forced: wants.prompt.includes('consent') || (api !== null && isTransactional(api)),
})
