// What a page of the console gets: calls of operations as the signed-in person, and what went wrong as plain data.

import { DomainError } from '../../../kernel/errors'
import { objectIn } from '../../../kernel/json'
import { percentDecoded } from '../../../kernel/url'
import {
  type AnswerOf,
  type CallOf,
  type ConsoleCall,
  callOperation,
  mayCall,
  type Reference,
} from '../../../management/console-call'
import type { ConsoleRole } from '../../../management/operations/console-roles'
import { rightsOfRole } from '../../../management/operations/console-roles'
import { placeOf } from '../../../management/operations/errors'
import { entityTag } from '../../../management/operations/etag'
import { aboveOf, type RankedKind } from '../../../management/operations/rank'
import type { Runtime } from '../../runtime/runtime'
import { reportFailure } from '../runtime'
import { type ConsoleSession, contextOf } from './entry'
import { requireSession } from './session'

export type ConsolePerson = { userId: string; email: string | null; name: string | null; role: ConsoleRole }

type Read = <Of extends Reference>(operation: Of, ...call: CallOf<Of>) => Promise<AnswerOf<Of>>

type Tagged<T> = { value: T; tag: string; notApplied: string[] }

type ReadTagged = <Of extends Reference>(operation: Of, ...call: CallOf<Of>) => Promise<Tagged<AnswerOf<Of>>>

type Entries<T> = { rows: T[]; total: number }
type EntryOf<T> = T extends readonly (infer Entry)[] ? Entry : never

type ReadList = <Of extends Reference>(operation: Of, ...call: CallOf<Of>) => Promise<Entries<EntryOf<AnswerOf<Of>>>>

export type Console = {
  person: ConsolePerson
  tenantName: string
  baseUrl: string
  /** In the names of the vendor's grants. */
  vendorHost: string
  now: Date
  /** The answer of an operation that reads. */
  read: Read
  /** The same with the entity tag that a later change names, and the paths of members without effect. */
  readTagged: ReadTagged
  /** A page of a list, with the number of all entries. */
  list: ReadList
  /** Whether the role may call it; with a member, whether it may change this member with it. */
  may(operation: Reference, member?: string): boolean
  /** Those of the objects that are above the person, who may only look at them (docs/console.md). */
  above(kind: RankedKind, ids: readonly string[]): Promise<ReadonlySet<string>>
  /** The same console as it is for one object: where that is above the person, it changes nothing. */
  facing(kind: RankedKind, id: string): Promise<Console & { isAbove: boolean }>
}

export const openConsole = async (): Promise<Console> => consoleOf(await requireSession())

export async function consoleOf(session: ConsoleSession): Promise<Console> {
  const { runtime, administrator } = session
  const context = await contextOf(session)
  const { actor, deps } = context
  const read = async (operation: Reference, call: ConsoleCall = {}): Promise<unknown> =>
    (await callOperation(operation, call, context)).body
  const readTagged = async (operation: Reference, call: ConsoleCall = {}): Promise<Tagged<unknown>> => {
    const value = await read(operation, call)
    const notApplied = operation.notApplied?.(objectIn(value), call.params ?? {}, deps) ?? []
    return { value, tag: entityTag(value), notApplied }
  }
  const list = async (operation: Reference, call: ConsoleCall = {}): Promise<unknown> => {
    if (operation.list === undefined) throw new Error(`${operation.name} is no list`)
    const answer = objectIn(await read(operation, { ...call, query: { ...call.query, include_totals: 'true' } }))
    return { rows: answer[operation.list], total: answer.total }
  }
  const console: Console = {
    person: administrator,
    tenantName: tenantNameOf(runtime),
    baseUrl: runtime.baseUrl,
    vendorHost: runtime.vendorHost,
    now: runtime.clock.now(),
    read: read as Read,
    readTagged: readTagged as ReadTagged,
    list: list as ReadList,
    may: (operation, member) => mayCall(operation, actor, member),
    above: (kind, ids) => aboveOf(actor, kind, ids, deps),
    async facing(kind, id) {
      const isAbove = (await aboveOf(actor, kind, [id], deps)).has(id)
      const may: Console['may'] = (operation, member) =>
        console.may(operation, member) && !(isAbove && operation.method !== 'GET')
      return { ...console, may, isAbove }
    },
  }
  return console
}

export const tenantNameOf = ({ settings, tenantName }: Runtime): string => settings.tenant.friendly_name ?? tenantName

/** The parameters of a page as Next has them. */
export type PageQuery = Readonly<Record<string, string | string[] | undefined>>

/** The first value of each. */
export const valuesIn = (sent: PageQuery): Record<string, string> =>
  Object.fromEntries(
    Object.entries(sent).flatMap(([name, value]) => {
      const [first] = [value ?? []].flat()
      return first === undefined ? [] : [[name, first]]
    }),
  )

/** The same for parts of the path, which Next leaves encoded. */
export const pathValuesIn = (sent: PageQuery): Record<string, string> =>
  Object.fromEntries(Object.entries(valuesIn(sent)).map(([name, value]) => [name, percentDecoded(value)]))

/** What a page shows in place of its content. */
export type Trouble = { kind: 'forbidden' | 'missing' | 'busy' | 'failed' } | { kind: 'invalid'; message: string }

/** Anything but a refusal is reported. */
export function troubleOf(error: unknown): Trouble {
  if (!(error instanceof DomainError)) {
    reportFailure(error)
    return { kind: 'failed' }
  }
  if (error.code === 'insufficient_scope' || error.code === 'access_denied') return { kind: 'forbidden' }
  if (error.code === 'not_found') return { kind: 'missing' }
  if (error.code === 'temporarily_unavailable') {
    reportFailure(error)
    return { kind: 'busy' }
  }
  return { kind: 'invalid', message: placeOf(error).message }
}

/** For the navigation, which is drawn before the page. */
export const roleMay = (role: ConsoleRole, operation: Reference, member?: string): boolean =>
  mayCall(operation, rightsOfRole(role), member)
