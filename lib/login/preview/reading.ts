// The dependencies of a login with every effect refused: what a preview runs the rules of a login with (docs/adr/0073, threat-model.md AU7).
// - A list of what may be read, not of what is forbidden: a port or a method that is added later is refused until it is listed.

import type { Trail } from '../../data/audit/trail'
import type { PreviewQuestion } from '../../data/logins/preview'
import type { KnownBrowserPort } from '../../identity/mfa/known-browser'
import type { TriggerEngine } from '../../identity/tenant-code/trigger'
import { addSeconds } from '../../kernel/clock'
import type { LoginDeps } from '../deps'

const READS = {
  clients: ['find'],
  apis: ['find'],
  connections: ['all'],
  organizations: ['find', 'findByName', 'findByDomain', 'isMember', 'choices'],
  consents: ['find'],
  users: ['findAccount'],
  authenticators: ['list'],
  factorKeys: ['list'],
  attempts: ['blocksOf', 'isBlocked', 'isBusy', 'failuresFrom'],
  attemptCounters: ['count'],
} as const satisfies { [Name in keyof LoginDeps]?: readonly (keyof LoginDeps[Name])[] }

const VALUES = [
  'settings',
  'clock',
  'random',
  'baseUrl',
  'issuer',
  'secure',
  'tenantId',
  'isAdministrator',
  'relyingPartyId',
] as const satisfies readonly (keyof LoginDeps)[]

const refused = (what: string): never => {
  throw new Error(`a preview of a login has no effects: ${what}`)
}

/** The members of an object that are named, and nothing else of it. */
function limited<Of extends object>(whole: Of, allowed: readonly PropertyKey[], label: string): Of {
  return new Proxy(whole, {
    get(target, name) {
      // What is awaited is asked for `then`.
      if (name === 'then') return undefined
      if (!allowed.includes(name)) return refused(`${label}${String(name)}`)
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
    set: (_target, name) => refused(`${label}${String(name)}`),
  })
}

const SILENT: Trail = {
  source: null,
  known: {},
  context: () => {},
  login: () => '',
  follow: () => {},
  step: () => {},
  record: () => {},
  refused: () => {},
  settled: () => null,
}

/** The browser that the question describes, for any value of its cookie. */
const browsersOf = ({ browser }: PreviewQuestion, now: Date): Pick<KnownBrowserPort, 'find'> => ({
  find: async (_userId, [digest]) =>
    digest === undefined || browser === 'unknown'
      ? null
      : { digest, rememberedUntil: browser === 'remembered' ? addSeconds(now, 60) : null },
})

export function readingDeps(deps: LoginDeps, question: PreviewQuestion): LoginDeps {
  const own: { [Name in keyof LoginDeps]?: unknown } = {
    ...Object.fromEntries(VALUES.map((name) => [name, deps[name]])),
    ...Object.fromEntries(
      Object.entries(READS).map(([name, methods]) => [
        name,
        limited(deps[name as keyof typeof READS], methods, `${name}.`),
      ]),
    ),
    trail: SILENT,
    knownBrowsers: limited(browsersOf(question, deps.clock.now()), ['find'], 'knownBrowsers.'),
    triggers: limited<TriggerEngine>(deps.triggers, ['isBound', 'bound'], 'triggers.'),
  }
  return limited(own, Object.keys(own), '') as LoginDeps
}
