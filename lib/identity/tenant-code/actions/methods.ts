// The calls of an action per trigger, under the vendor's names, and their effects. Arguments come from a sandbox: an argument
// without the documented form fails the run (threat-model.md AC4).
import * as z from 'zod'
import type { TriggerName } from '../../../data/tenants/triggers'
import type { Entries } from '../../../kernel/entries'
import type { Json } from '../../../kernel/json'
import { parseRedirectTarget } from '../../../kernel/redirect-target'
import { claimNameProblem } from '../claims/name'
import { type Effects, type MultifactorWish, noEffects, type RequestedFactor, type Undelivered } from '../trigger'
import { EXCHANGE_METHODS } from './exchange-methods'
import { LIFE_METHODS } from './life-methods'
import { SAML_METHODS } from './saml-methods'
import { isSafeName } from './sanitize'

/** The factors that this server supports, under the vendor's names. */
export type ActionFactors = {
  types: readonly string[]
  /** The types that a provider of `multifactor.enable` stands for. */
  providers: ReadonlyMap<string, readonly string[]>
}

/** What has metadata in the event, under its name there. */
export type MetadataOwner = 'session' | 'refresh_token'

export type MethodContext = {
  factors: ActionFactors
  /** The handler that ran, and its time. */
  handler: string
  now: string
  /** For the log of runs: ignored input, which the vendor ignores too, and what the action says of a message. */
  warn(text: string): void
  /** Of the event of the run. */
  userId(): Json | undefined
  targetScopes(): string[]
  /** What the event of the run has of it. */
  metadataOf(part: MetadataOwner): Entries
}

type Method = (effects: Effects, args: Json[], context: MethodContext) => void

const name = z.string().min(1).max(300).refine(isSafeName, 'is no name')
const text = z.string().max(1000)
const json = z.json()
const pair = z.tuple([name, json]).rest(z.unknown())
const scope = z.tuple([z.string().regex(/^[!#-[\]-~]{1,280}$/)]).rest(z.unknown())

/** Without a value the claim is omitted, as at the vendor. */
const setClaim =
  (of: 'idTokenClaims' | 'accessTokenClaims'): Method =>
  (effects, args, { warn }) => {
    if (args.length < 2) return
    const [claim, value] = pair.parse(args)
    const problem = claimNameProblem(claim)
    if (problem === null) effects[of] = { ...effects[of], [claim]: value }
    else warn(`the claim ${claim} was ignored: it ${problem}`)
  }

const setMetadata =
  (of: 'userMetadata' | 'appMetadata'): Method =>
  (effects, args) => {
    const [key, value] = pair.parse(args.length < 2 ? [...args, null] : args)
    effects[of] = { ...effects[of], [key]: value }
  }

const deny: Method = (effects, args) => {
  const [reason = 'Access denied'] = z.tuple([text.optional()]).rest(z.unknown()).parse(args)
  effects.denied = { code: 'access_denied', reason, userMessage: null, failed: false }
}

const denyRegistration: Method = (effects, args) => {
  const [reason, userMessage = null] = z.tuple([text, text.optional()]).rest(z.unknown()).parse(args)
  effects.denied = { code: 'access_denied', reason, userMessage, failed: false }
}

const EXCHANGE_CODES = ['invalid_scope', 'invalid_request', 'server_error'] as const

/** `server_error` would report a fault of this server, so it becomes `access_denied`. */
const denyExchange: Method = (effects, args) => {
  const [requestedCode, reason] = z
    .tuple([z.enum(EXCHANGE_CODES), text])
    .rest(z.unknown())
    .parse(args)
  const code = requestedCode === 'server_error' ? 'access_denied' : requestedCode
  effects.denied = { code, reason, userMessage: null, failed: false }
}

const validationError: Method = (effects, args) => {
  const [code, message] = z
    .tuple([z.string().min(1).max(100), text])
    .rest(z.unknown())
    .parse(args)
  effects.denied = { code, reason: message, userMessage: message, failed: false }
}

const factor = z.object({
  type: z.string(),
  options: z.object({ preferredMethod: z.enum(['sms', 'voice', 'both']).optional() }).optional(),
})
const withFactor = z
  .tuple([factor, z.object({ additionalFactors: z.array(factor).max(20).optional() }).optional()])
  .rest(z.unknown())

/**
 * The factors that this server supports. If none is supported, the request cannot be met, and must not count as a request for
 * none.
 */
function known(factors: z.output<typeof factor>[], { types }: ActionFactors): RequestedFactor[] {
  const here = factors.filter(({ type }) => types.includes(type))
  if (here.length === 0) throw new Error('asks for a factor that does not exist here')
  return here.map(({ type, options }) => ({
    type,
    ...(options?.preferredMethod ? { preferredMethod: options.preferredMethod } : {}),
  }))
}

const askFor = (effects: Effects, kind: 'challenge' | 'enroll', factors: RequestedFactor[]): void => {
  effects.multifactor = { kind, factors, allowRememberBrowser: false }
}

const oneFactor =
  (kind: 'challenge' | 'enroll'): Method =>
  (effects, args, context) => {
    const [first, options] = withFactor.parse(args)
    askFor(effects, kind, known([first, ...(options?.additionalFactors ?? [])], context.factors))
  }

const anyFactor =
  (kind: 'challenge' | 'enroll'): Method =>
  (effects, args, context) => {
    const [factors] = z
      .tuple([z.array(factor).min(1).max(20)])
      .rest(z.unknown())
      .parse(args)
    askFor(effects, kind, known(factors, context.factors))
  }

const enableMultifactor: Method = (effects, args, { factors }) => {
  const [provider, options] = z
    .tuple([z.string(), z.object({ allowRememberBrowser: z.boolean().default(true) }).optional()])
    .rest(z.unknown())
    .parse(args)
  effects.multifactor = wishOf(provider, options?.allowRememberBrowser ?? true, factors)
}

function wishOf(provider: string, allowRememberBrowser: boolean, { providers }: ActionFactors): MultifactorWish {
  if (provider === 'none') return { kind: 'none' }
  const types = provider === 'any' ? [] : providers.get(provider)
  if (!types) throw new Error('asks for a provider of factors that does not exist here')
  return { kind: 'enable', factors: types.map((type) => ({ type })), allowRememberBrowser }
}

const address = z.string().max(4000)

function webAddress(text: string): URL {
  const url = parseRedirectTarget(text)
  if (!url || !/^https?:$/.test(url.protocol)) throw new Error('sends the user to what is no web address')
  return url
}

/** It is within an address of this server, whose headers are bounded. */
const MAX_RESULT_URL = 2000

const setResultUrl: Method = (effects, args) => {
  const [text] = z.tuple([address]).rest(z.unknown()).parse(args)
  const { href } = webAddress(text)
  if (href.length > MAX_RESULT_URL) throw new Error('names an address that is too long')
  effects.resultUrl = href
}

const sendUserTo: Method = (effects, args) => {
  const [text, options] = z
    .tuple([address, z.object({ query: z.record(z.string(), z.string()).optional() }).optional()])
    .rest(z.unknown())
    .parse(args)
  const url = webAddress(text)
  for (const [key, value] of Object.entries(options?.query ?? {})) url.searchParams.set(key, value)
  effects.redirect = { url: url.href }
}

/** In one login. */
const MAX_RECORDED = 10

/** The URL names a method that the person completed at the site to which the login was redirected. */
const recordMethod: Method = (effects, args, { handler, now }) => {
  const [url] = z
    .tuple([z.url({ protocol: /^https?$/ }).max(500)])
    .rest(z.unknown())
    .parse(args)
  const continues = CONTINUES['post-login']
  if (handler !== continues) throw new Error(`is there in ${continues} only`)
  if ((effects.recorded?.length ?? 0) >= MAX_RECORDED) throw new Error(`records more than ${MAX_RECORDED} methods`)
  effects.recorded = [...(effects.recorded ?? []), { url, at: now }]
}

/** What was set before was for the former user; a refusal is of the login. */
const setPrimaryUser: Method = (effects, args, { userId }) => {
  const [id] = z
    .tuple([z.string().min(1).max(300)])
    .rest(z.unknown())
    .parse(args)
  const { primaryUser = id, transaction, recorded, redirect, denied } = effects
  if (primaryUser !== id) throw new Error('names another user than before in this login')
  if (effects.primaryUser === undefined && userId() !== id) {
    const kept = {
      ...(transaction ? { transaction } : {}),
      ...(recorded ? { recorded } : {}),
      ...{ redirect, denied },
    }
    for (const name of Object.keys(effects)) delete (effects as Record<string, unknown>)[name]
    Object.assign(effects, noEffects(), kept)
  }
  effects.primaryUser = id
}

/** Null removes the name, as at the vendor. */
const setTransactionMetadata: Method = (effects, args) => {
  const [key, value] = z
    .tuple([name, z.union([z.string().max(8192), z.number(), z.boolean()]).nullable()])
    .rest(z.unknown())
    .parse(args.length < 2 ? [...args, null] : args)
  const { [key]: _before, ...others } = effects.transaction ?? {}
  effects.transaction = value === null ? others : { ...others, [key]: value }
}

/** Of several calls the last one counts, as at the vendor. The reason is for the log of runs alone. */
const undelivered =
  (kind: Undelivered['kind']): Method =>
  (effects, args, { warn }) => {
    const [reason = ''] = z
      .tuple([z.string().max(10_000).optional()])
      .rest(z.unknown())
      .parse(args)
    effects.undelivered = { kind }
    warn(`${kind === 'drop' ? 'dropped' : 'to be tried again'}: ${reason.slice(0, 1024)}`)
  }

const notification = { 'notification.drop': undelivered('drop'), 'notification.retry': undelivered('retry') }

const metadata = {
  'user.setUserMetadata': setMetadata('userMetadata'),
  'user.setAppMetadata': setMetadata('appMetadata'),
}

const scopes = z.array(z.string().regex(/^[!#-[\]-~]{1,280}$/)).max(500)

/** Of the client's grant; what is beyond it is dropped in the end. */
const target =
  (next: (before: string[], args: Json[]) => string[]): Method =>
  (effects, args, { targetScopes }) => {
    effects.targetScopes = [...new Set(next(effects.targetScopes ?? targetScopes(), args))]
  }

/** The sandbox records these calls; they take effect here. */
export const METHODS: Readonly<Record<TriggerName, Readonly<Record<string, Method>>>> = {
  'post-login': {
    ...metadata,
    ...SAML_METHODS,
    ...LIFE_METHODS,
    'access.deny': deny,
    'idToken.setCustomClaim': setClaim('idTokenClaims'),
    'accessToken.setCustomClaim': setClaim('accessTokenClaims'),
    'accessToken.addScope': (effects, args) => {
      effects.addScopes = [...effects.addScopes, scope.parse(args)[0]]
    },
    'accessToken.removeScope': (effects, args) => {
      effects.removeScopes = [...effects.removeScopes, scope.parse(args)[0]]
    },
    'authentication.challengeWith': oneFactor('challenge'),
    'authentication.challengeWithAny': anyFactor('challenge'),
    'authentication.enrollWith': oneFactor('enroll'),
    'authentication.enrollWithAny': anyFactor('enroll'),
    'authentication.recordMethod': recordMethod,
    'authentication.setPrimaryUser': setPrimaryUser,
    'multifactor.enable': enableMultifactor,
    'redirect.sendUserTo': sendUserTo,
    'transaction.setMetadata': setTransactionMetadata,
    'validation.error': validationError,
  },
  'credentials-exchange': {
    'access.deny': denyExchange,
    'accessToken.setCustomClaim': setClaim('accessTokenClaims'),
    'transaction.addTargetScope': target((before, args) => [...before, scope.parse(args)[0]]),
    'transaction.removeTargetScope': target((before, args) => {
      const [removed] = scope.parse(args)
      return before.filter((each) => each !== removed)
    }),
    'transaction.setTargetScopes': target((_before, args) => z.tuple([scopes]).rest(z.unknown()).parse(args)[0]),
    'transaction.clearTargetScopes': target(() => []),
  },
  'custom-token-exchange': { ...metadata, ...EXCHANGE_METHODS },
  'pre-user-registration': { ...metadata, 'access.deny': denyRegistration, 'validation.error': validationError },
  'post-user-registration': {},
  'password-reset-post-challenge': {
    'access.deny': deny,
    'authentication.challengeWith': oneFactor('challenge'),
    'authentication.challengeWithAny': anyFactor('challenge'),
    'redirect.sendUserTo': sendUserTo,
    'transaction.setResultUrl': setResultUrl,
  },
  'post-change-password': {},
  'send-phone-message': {},
  'custom-phone-provider': notification,
  'custom-email-provider': notification,
}

/** Answered inside the sandbox, synchronously. */
const CACHE = ['cache.get', 'cache.set', 'cache.delete']
const REDIRECT = ['redirect.canRedirect', 'redirect.encodeToken', 'redirect.validateToken']

export const methodNames = (trigger: TriggerName): string[] => [
  ...Object.keys(METHODS[trigger]),
  ...CACHE,
  ...(CONTINUES[trigger] === undefined ? [] : REDIRECT),
  ...(trigger === 'post-login' ? ['rules.wasExecuted'] : []),
]

export const HANDLERS: Readonly<Record<TriggerName, string>> = {
  'post-login': 'onExecutePostLogin',
  'credentials-exchange': 'onExecuteCredentialsExchange',
  'custom-token-exchange': 'onExecuteCustomTokenExchange',
  'pre-user-registration': 'onExecutePreUserRegistration',
  'post-user-registration': 'onExecutePostUserRegistration',
  'password-reset-post-challenge': 'onExecutePostChallenge',
  'post-change-password': 'onExecutePostChangePassword',
  'send-phone-message': 'onExecuteSendPhoneMessage',
  'custom-phone-provider': 'onExecuteCustomPhoneProvider',
  'custom-email-provider': 'onExecuteCustomEmailProvider',
}

/** The handlers of a run that goes on after a redirect. */
export const CONTINUES: Readonly<Partial<Record<TriggerName, string>>> = {
  'post-login': 'onContinuePostLogin',
  'password-reset-post-challenge': 'onContinuePostChallenge',
}
