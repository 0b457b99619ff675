// What happened in a login, step by step, for the login inspector (docs/adr/0068, threat-model.md AU5). Redaction is a property of these types,
// as of the audit log's: a step has names from closed lists, verdicts, and claims. Claims are made by `claimsOf` alone, and lines by `lineOf`, which
// leave out what may be a secret.
import { isJsonObject, type Json, type JsonObject } from '../../kernel/json'
import { printable } from '../../kernel/printable'

export const STEP_KINDS = [
  'request',
  'session',
  'page',
  'requirement',
  'provider_request',
  'provider_answer',
  'action',
  'actions',
  'tokens',
  'event',
] as const
export type StepKind = (typeof STEP_KINDS)[number]

export const LINE_VERDICTS = ['ok', 'failed', 'ignored', 'unreached', 'none'] as const
export type LineVerdict = (typeof LINE_VERDICTS)[number]

declare const SAFE: unique symbol
/** One thing that was looked at: what it is called, what was there, and whether it passed. */
export type StepLine = { name: string; verdict: LineVerdict; value?: string; says?: string } & { [SAFE]: true }
/** Claims without what may be a secret. */
export type SafeClaims = JsonObject & { [SAFE]: true }

export type InspectedStep = {
  kind: StepKind
  /** What the step is about: a protocol, a page, a connection, an event of the audit log. */
  subject: string
  outcome: 'ok' | 'failed' | 'none'
  /** A code of the catalogue (lib/kernel/reasons.ts). */
  reason?: string | undefined
  /** A sentence of our own, as in the audit log. */
  says?: string | undefined
  lines?: readonly StepLine[]
  /** By what they are those of: `id_token`, `access_token`, `assertion`, `profile`. */
  claims?: Readonly<Record<string, SafeClaims>>
}

/** Composed only where it is stored. */
export type LazyStep = InspectedStep | (() => InspectedStep)

const MAX = { name: 100, value: 400, says: 600, members: 60, depth: 4 }

export const LEFT_OUT = '[left out]'

type LineParts = { value?: string | undefined; says?: string | undefined }

export function lineOf(name: string, verdict: LineVerdict, { value, says }: LineParts = {}): StepLine {
  return {
    name: printable(withoutSecrets(name), MAX.name),
    verdict,
    ...(value === undefined ? {} : { value: printable(withoutSecrets(value), MAX.value) }),
    ...(says === undefined ? {} : { says: printable(withoutSecrets(says), MAX.says) }),
  } as StepLine
}

/** A token, key, code, handle, cookie or assertion is a long run of characters without a pause, or is written as a PEM or XML. */
const SECRET_TEXT = /[\w+/=-]{40,}(?:\.[\w+/=-]+)*|-----BEGIN[\s\S]*|<[\w:]*(?:Assertion|Response)\b[\s\S]*/g

/** The address of a page, without query and fragment: its slashes end a run. */
const ADDRESS = /\bhttps?:\/\/[^\s?#"'<>]+/g
const SECRET_SEGMENT = /[\w+=.-]{40,}/g

function withoutSecrets(text: string): string {
  const between = text.split(ADDRESS).map((part) => part.replace(SECRET_TEXT, LEFT_OUT))
  const addresses = (text.match(ADDRESS) ?? []).map((address) => address.replace(SECRET_SEGMENT, LEFT_OUT))
  return between.map((part, place) => part + (addresses[place] ?? '')).join('')
}

const SECRET_NAME = /token|secret|passw|pwd|assertion|cookie|credential|nonce|_hash$|^code$|^key$|^jti$|private/i

/** Decoded claims of a token, an assertion or a profile. */
export const claimsOf = (claims: Readonly<Record<string, unknown>>): SafeClaims => safeObject(claims, 0) as SafeClaims

function safeObject(members: Readonly<Record<string, unknown>>, depth: number): JsonObject {
  const shown = Object.entries(members)
    .slice(0, MAX.members)
    .filter(([, value]) => value !== undefined)
  return Object.fromEntries(
    shown.map(([name, value]) => [
      printable(withoutSecrets(name), MAX.name),
      SECRET_NAME.test(name) ? LEFT_OUT : safeValue(value, depth + 1),
    ]),
  )
}

function safeValue(value: unknown, depth: number): Json {
  if (typeof value === 'string') return printable(withoutSecrets(value), MAX.value)
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value
  if (depth > MAX.depth) return LEFT_OUT
  if (Array.isArray(value)) return value.slice(0, MAX.members).map((each) => safeValue(each, depth + 1))
  if (value instanceof Date) return value.toISOString()
  return isJsonObject(value) ? safeObject(value, depth) : LEFT_OUT
}

export type StoredStep = Omit<InspectedStep, 'lines' | 'claims'> & {
  at: string
  lines?: { name: string; verdict: LineVerdict; value?: string; says?: string }[]
  claims?: Record<string, JsonObject>
}

export const storedStep = (step: LazyStep, at: string): StoredStep => {
  const { subject, says, ...rest } = typeof step === 'function' ? step() : step
  return {
    ...rest,
    at,
    subject: printable(withoutSecrets(subject), MAX.name),
    ...(says === undefined ? {} : { says: printable(withoutSecrets(says), MAX.says) }),
  } as StoredStep
}
