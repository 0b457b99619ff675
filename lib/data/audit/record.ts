// The stored form of an event: a part without personal data, and a personal part that can be erased without breaking the chain
// (docs/adr/0020). All text is bounded and sanitized here.

import { type JsonObject, objectIn } from '../../kernel/json'
import { printable } from '../../kernel/printable'
import { hintOf, type Reason } from '../../kernel/reasons'
import { DATABASE } from '../connections/database-options'
import { isEnterprise } from '../connections/enterprise'
import type { Counted } from './activity'
import { addressOf } from './address'
import type { AuditEntry, AuditSubject } from './audit'
import { codeOf, EVENTS, type EventName, isKept, reasonOfEvent } from './events'

/** JSON is kept as text: the hashed bytes are the stored bytes. */
export type AuditRecord = {
  logId: string
  type: string
  at: Date
  userId: string | null
  content: string
  personal: string
  /** A response waits until it is stored. */
  kept: boolean
  counted: Counted | null
}

export type PersonalPart = Partial<
  Record<'ip' | 'user_agent' | 'user_id' | 'user_name' | 'reason' | 'parameter', string | undefined>
>

const MAX = { reason: 300, userAgent: 400, name: 320, text: 1000, json: 20_000, paths: 100 }

export function composeRecord(entry: AuditEntry, logId: string): AuditRecord {
  const { user } = entry.facts
  return {
    logId,
    type: codeOf(entry.name),
    at: entry.at,
    userId: user?.id ?? null,
    content: JSON.stringify(contentOf(entry)),
    personal: JSON.stringify(personalOf(entry)),
    kept: isKept(entry.name),
    counted: countedOf(entry),
  }
}

function countedOf({ name, facts: { client, connection } }: AuditEntry): Counted | null {
  const kind = COUNTED[name] ?? (EVENTS[name].category === 'auth.login.fail' ? 'failures' : undefined)
  return kind === undefined ? null : { kind, clientId: client?.clientId ?? null, connection: connection?.name ?? null }
}

const COUNTED: Partial<Record<EventName, Counted['kind']>> = { login: 'logins', sign_up: 'signups' }

/** The vendor's member names; undefined members are omitted by JSON. */
function contentOf({ name, facts, hostname, source }: AuditEntry) {
  const { client, connection, organization, audience, scopes } = facts
  return {
    description: EVENTS[name].says,
    connection: connection?.name,
    connection_id: connection?.id,
    strategy: connection?.strategy,
    strategy_type: connection?.strategy === undefined ? undefined : strategyType(connection.strategy),
    client_id: client?.clientId,
    client_name: client && printable(client.name, MAX.name),
    organization_id: organization?.id,
    organization_name: organization?.name,
    hostname,
    audience: audience && printable(audience, MAX.text),
    scope: scopes?.length ? printable(scopes.join(' '), MAX.text) : undefined,
    isMobile: source?.userAgent === undefined ? undefined : MOBILE.test(source.userAgent),
    details: {
      event: name,
      reason: reasonOf(name, facts),
      request_id: source?.requestId,
      dropped_scopes: droppedScopesIn(name, facts),
      ...detailsOf(facts),
    },
  }
}

/** Only what grants scopes can drop some. */
const droppedIn = (name: EventName, { dropped }: AuditSubject): AuditSubject['dropped'] =>
  name === 'login' || name === 'login_silent' || name.endsWith('_exchanged') ? dropped : undefined

export const droppedScopesIn = (name: EventName, facts: AuditSubject): string | undefined =>
  droppedIn(name, facts)?.scopes.join(' ').slice(0, MAX.text)

export const reasonOf = (name: EventName, facts: AuditSubject & { reason?: Reason }): Reason | undefined =>
  facts.reason ?? reasonOfEvent(name) ?? droppedIn(name, facts)?.reason

const MOBILE = /Mobi|Android|iPhone|iPad/

type AnyFacts = AuditSubject & {
  change?: string
  target?: string
  difference?: JsonObject
  notApplied?: readonly string[]
  count?: number
  since?: Date
}

const detailsOf = ({ login, grant, factor, change, target, difference, notApplied, count, since }: AnyFacts) => ({
  login_id: login,
  grant_type: grant && printable(grant, MAX.name),
  factor,
  change: change && printable(change, MAX.text),
  target: target && printable(target, MAX.text),
  difference: difference && boundedJson(difference),
  not_applied: notApplied?.length ? notApplied.slice(0, MAX.paths).map((path) => printable(path, MAX.name)) : undefined,
  count,
  since: since?.toISOString(),
})

/** A difference that is too long is left out, and says so; so is one that PostgreSQL could not read again. */
function boundedJson(value: JsonObject): JsonObject {
  const text = JSON.stringify(value)
  if (text.length > MAX.json) return { too_long: true }
  return UNREADABLE.test(text) ? { not_text: true } : value
}

/** NUL and lone surrogates, which JSON writes as escapes. */
const UNREADABLE = /\\u(?:0000|d[89a-f])/

function strategyType(strategy: string): string {
  if (strategy === DATABASE) return 'database'
  if (strategy === 'email' || strategy === 'sms') return 'passwordless'
  return isEnterprise({ strategy }) ? 'enterprise' : 'social'
}

function personalOf({ facts, source }: AuditEntry): PersonalPart {
  const { user, typed, sentence, parameter } = facts
  const name = (user && (user.email ?? user.username ?? user.phoneNumber)) ?? (typed && addressOf(typed))
  return {
    ip: source?.ip,
    user_agent: source?.userAgent === undefined ? undefined : printable(source.userAgent, MAX.userAgent),
    user_id: user?.id,
    user_name: name ? printable(name, MAX.name) : undefined,
    reason: sentence === undefined ? undefined : printable(sentence, MAX.reason),
    // What a caller calls a parameter may be anything.
    parameter: parameter === undefined ? undefined : printable(parameter, MAX.name),
  }
}

/** The vendor's log record. */
export type PresentedRecord = JsonObject & { log_id: string; date: string; type: string }

/** The hint is not stored: it is that of the version that shows the record. */
export function presentRecord(
  record: Pick<AuditRecord, 'logId' | 'type' | 'at' | 'content'> & { personal: string | null },
): PresentedRecord {
  const { description, details, ...content } = objectIn(JSON.parse(record.content))
  const facts = objectIn(details)
  const hint = typeof facts.reason === 'string' ? hintOf(facts.reason) : undefined
  const { reason, parameter, ...personal } = record.personal === null ? {} : objectIn(JSON.parse(record.personal))
  const explanation = reason ?? description
  return {
    log_id: record.logId,
    date: record.at.toISOString(),
    type: record.type,
    ...(explanation === undefined ? {} : { description: explanation }),
    ...content,
    ...personal,
    details: {
      ...facts,
      ...(hint === undefined ? {} : { hint }),
      ...(parameter === undefined ? {} : { parameter }),
      ...(record.personal === null ? { erased: true } : {}),
    },
  }
}
