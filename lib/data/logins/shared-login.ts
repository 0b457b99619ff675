// The copy of a login behind a link for a person without an account of the console (docs/adr/0071). It has what is needed to find and mend a mistake
// at the other side of a login: the rules and their verdicts. It does not have who the person is, from where it signed in, and what else the tenant has.
// - Of a line, the verdict and the sentence stay. Its value stays but where it says who the person is or what else the tenant has.
// - Of a claim, the name stays; the value only of claims that say how the login was made.
// - Actions of the tenant are left out, but that one refused the login.
// - A copy for who tests a login by a link has less: see `testedLoginOf`.
// - In every text that stays, addresses of mailboxes and networks and numbers of phones are masked.
import { isJsonObject, type Json, type JsonObject } from '../../kernel/json'
import { REASONS, type Reason } from '../../kernel/reasons'
import type { LineVerdict, StepKind, StoredStep } from './step'

export type SharedLine = { name: string; verdict: LineVerdict; value?: string; says?: string }

export type SharedStep = {
  kind: StepKind
  at: string
  subject: string
  outcome: 'ok' | 'failed' | 'none'
  reason?: string
  says?: string
  lines: SharedLine[]
  /** By what they are those of: the names of claims, and the values that stay. */
  claims: Record<string, Record<string, string>>
}

export type SharedLogin = {
  id: string
  outcome: string
  reason: string | null
  startedAt: string
  endedAt: string
  application: string | null
  connection: string | null
  person: string | null
  steps: SharedStep[]
}

type WholeLogin = Omit<SharedLogin, 'steps' | 'startedAt' | 'endedAt' | 'application'> & {
  startedAt: Date
  lastAt: Date
  clientName: string | null
  parts: readonly { steps: readonly StoredStep[] }[]
}

export function sharedLoginOf(login: WholeLogin): SharedLogin {
  const { id, outcome, reason, startedAt, lastAt, clientName, connection, person, parts } = login
  return {
    ...{ id, outcome, reason, application: clientName, connection },
    startedAt: startedAt.toISOString(),
    endedAt: lastAt.toISOString(),
    person: person === null ? null : maskedPerson(person),
    steps: parts.flatMap(({ steps }) => steps.filter(concernsOutsiders).map(sharedStep)),
  }
}

/** Whether an account exists and may sign in: the pages of a login do not say it, so a copy for who tests does not. */
const OF_ACCOUNTS: ReadonlySet<string> = new Set<Reason>([
  ...(['user_unknown', 'wrong_password', 'user_blocked', 'user_gone', 'account_locked', 'passkey_unknown'] as const),
  ...(['one_time_code_wrong', 'too_many_codes'] as const),
])
const OF_ANY_ACCOUNT: Reason = 'sign_in_refused'

/**
 * The copy for a person who tests a login by a link (docs/adr/0077), and may type any name: a refusal that could say something of an account says
 * the same of every account, and an unfinished login names no person.
 */
export function testedLoginOf(login: WholeLogin): SharedLogin {
  const { reason, person, steps, ...copy } = sharedLoginOf(login)
  return {
    ...copy,
    reason: reason !== null && OF_ACCOUNTS.has(reason) ? OF_ANY_ACCOUNT : reason,
    person: copy.outcome === 'succeeded' ? person : null,
    steps: steps.map(withoutAccount),
  }
}

const withoutAccount = (step: SharedStep): SharedStep =>
  step.reason !== undefined && OF_ACCOUNTS.has(step.reason)
    ? {
        ...{ kind: 'event', at: step.at, subject: OF_ANY_ACCOUNT, outcome: 'failed', reason: OF_ANY_ACCOUNT },
        ...{ says: REASONS[OF_ANY_ACCOUNT], lines: [], claims: {} },
      }
    : step

/** The tenant's code is its own affair, unless it refused the login. */
const concernsOutsiders = ({ kind, outcome }: StoredStep): boolean => kind !== 'action' || outcome === 'failed'

function sharedStep({ kind, at, subject, outcome, reason, says, lines = [], claims = {} }: StoredStep): SharedStep {
  const isAction = kind === 'action'
  return {
    ...{ kind, at, subject: isAction ? '' : masked(subject), outcome },
    ...(reason === undefined ? {} : { reason }),
    // What code says when it breaks is for its authors.
    ...(says === undefined || reason === 'action_failed' ? {} : { says: masked(says) }),
    lines: isAction ? [] : lines.flatMap((line) => sharedLine(kind, line)),
    claims: isAction ? {} : Object.fromEntries(Object.entries(claims).map(([name, of]) => [name, sharedClaims(of)])),
  }
}

/** What else the tenant has: in no copy. */
const LEFT_OUT: Partial<Record<StepKind, ReadonlySet<string>>> = {
  session: new Set(['connections', 'remembered_accounts']),
  actions: new Set(['user_metadata', 'app_metadata']),
}

/** Who the person is: the line stays, without its value. */
const VALUELESS: Partial<Record<StepKind, (name: string) => boolean>> = {
  session: (name) => name !== 'missing',
  provider_answer: (name) => name === 'user_id',
}

function sharedLine(kind: StepKind, { name, verdict, value, says }: SharedLine): SharedLine[] {
  if (LEFT_OUT[kind]?.has(name)) return []
  return [
    {
      name: masked(name),
      verdict,
      ...(value === undefined || VALUELESS[kind]?.(name) ? {} : { value: masked(value) }),
      ...(says === undefined ? {} : { says: masked(says) }),
    },
  ]
}

/** Claims that say how, when, by whom and for whom a token or an assertion was made, and nothing of the person. */
const OF_THE_LOGIN: ReadonlySet<string> = new Set([
  ...[
    'iss',
    'aud',
    'azp',
    'client_id',
    'exp',
    'iat',
    'nbf',
    'auth_time',
    'acr',
    'amr',
    'scope',
    'gty',
    'org_id',
    'tid',
  ],
  ...['email_verified', 'phone_number_verified', 'issuer'],
])

const sharedClaims = (claims: JsonObject): Record<string, string> =>
  Object.fromEntries(
    Object.entries(claims).map(([name, value]) => [
      masked(name),
      OF_THE_LOGIN.has(name) ? masked(typeof value === 'string' ? value : JSON.stringify(value)) : kindOf(value),
    ]),
  )

/** In place of a value, what a mapping of attributes can be mended by. */
function kindOf(value: Json): string {
  if (typeof value === 'string') return value === '' ? '(empty)' : '(text)'
  if (Array.isArray(value)) return `(${value.length} values)`
  if (value === null) return '(null)'
  return isJsonObject(value) ? '(object)' : `(${typeof value})`
}

const MASK = '•••'
const MAILBOX = /([^\s@<>"'(),;:=|]?)[^\s@<>"'(),;:=|]*@([\w-]+(?:\.[\w-]+)+)/gu
const PHONE = /\+\d[\d ()-]{5,}\d/g
const NETWORK_ADDRESS =
  /(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?![\w.])|(?<![\w:])(?:[\da-f]{1,4}:){2,7}[\da-f]{0,4}(?![\w:])|(?<![\w:])(?:[\da-f]{0,4}:){0,6}:(?:[\da-f]{1,4}:?){1,7}(?![\w:])/gi

/** Of a mailbox, the first character and the domain stay: they say which account of a test it was, and by which domain it was routed. */
export const masked = (text: string): string =>
  text.replace(MAILBOX, `$1${MASK}@$2`).replace(PHONE, MASK).replace(NETWORK_ADDRESS, MASK)

/** A name without an `@` has no domain that says anything. */
const maskedPerson = (person: string): string =>
  person.includes('@') ? masked(person) : `${[...person][0] ?? ''}${MASK}`
