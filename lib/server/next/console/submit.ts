// What a form of the console does: one operation, or several, with what the form states. The form names some of the operations that the
// console has forms for; what it may do is judged by the role of the signed-in person, and what is shown of an answer by the operation.
// So a form that someone has changed does and shows no more than a page of that person.
// Of several operations those are called whose members were changed, one after the other: they are no transaction. So all are named before
// the first is called, and a refusal says what was saved before it.
import { revalidatePath } from 'next/cache'
import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { readUnverified } from '../../../crypto/keys/client-jwt'
import { CONSOLE_PATH } from '../../../data/clients/console'
import { ageOf } from '../../../kernel/clock'
import { DomainError } from '../../../kernel/errors'
import { isJsonObject, type Json, type JsonObject, objectIn } from '../../../kernel/json'
import { webOriginOf } from '../../../kernel/origin'
import {
  type ConsoleCall,
  type ConsoleContext,
  callOperation,
  checkCall,
  operationNamed,
  type Reference,
  readOf,
} from '../../../management/console-call'
import { placeOf } from '../../../management/operations/errors'
import { entityTag } from '../../../management/operations/etag'
import { madeSecret } from '../../../management/operations/member-access'
import type { OperationOutcome } from '../../../management/operations/operation'
import { isRankRefusal } from '../../../management/operations/rank'
import { clients } from '../../../management/resources/clients'
import { say } from '../../../text/console'
import { ENABLED, enableDatabases } from './enabled-connections'
import { type ConsoleSession, contextOf } from './entry'
import { bodyOf as schemaOf } from './form'
import {
  bodyBefore,
  changedMembers,
  pathIn,
  readForm,
  sentValues,
  textIn,
  textsFrom,
  textsOf,
  textsOfPart,
  UnreadableField,
} from './form-values'
import { consoleOf } from './page'
import { namesObjects, resolveReferences } from './references'
import { type RevealedText, textOfRevealed } from './revealed'
import { findSession, signInUrl } from './session'
import { placeInConsole } from './sign-in'
import { unitOf, withWholeObjects } from './whole-objects'

export type FormState =
  | { status: 'new' }
  /** `revealed`: a secret that is shown this once; `content`: what it says, where it is a token. */
  | ({ status: 'done'; revealed: string; content: string; next: string | null } & RevealedText)
  /** `sent`: what its controls had, as JSON. A form sends its state back, which must be flat (lib/server/next/action-form.ts). */
  | ({ status: 'refused'; message: string; field: string | null; sent: string } & SavedInPart)
  /** `was`: what the controls showed at first, as JSON. */
  | ({ status: 'stale'; sent: string; was: string } & SavedInPart)
  | { status: 'unconfirmed'; sent: string }
  | { status: 'step-up'; to: string; sent: string }
  /**
   * The page is over. `undo`: the calls that take back what was done, as JSON; empty without any. `asks`: at the sign-in. `says`: what this
   * page says, which scripts show in it as it is by now.
   */
  | { status: 'left'; to: string; undo: string; asks: 'sign-in' | null; says: string | null }

/** Of a form of several operations: the names of those that were done before one was refused, and what takes them back. */
type SavedInPart = { saved?: string; undo?: string }

/** An operation of a form of several. An undo is a form whose parts have bodies and no controls. */
export type FormPart = {
  operation: string
  params?: Readonly<Record<string, string>>
  /** It is refused where the object was changed since. */
  tag?: string
  body?: unknown
}

/** Seconds: a dangerous step needs a login that is no older. */
const FRESH = 600

/** An operation that the console has a form for. */
function operationOf(name: string) {
  const operation = operationNamed(name)
  if (!operation.console)
    throw new DomainError('access_denied', 'The console has no form for this.', { reason: 'not_a_manager' })
  return operation
}

const isFresh = ({ authenticatedAt, runtime }: ConsoleSession): boolean =>
  ageOf(authenticatedAt, runtime.clock.now()) <= FRESH

/** With scripts the page shows what is stored now, or the browser leaves by itself (app/console/_parts/actions.ts), without them by a redirect. */
export async function submitForm(form: FormData): Promise<FormState> {
  const found = await findSession()
  const state: FormState =
    'elsewhere' in found
      ? { status: 'left', to: found.elsewhere, undo: '', asks: 'sign-in', says: null }
      : await submitFormOf(form, found)
  if (state.status === 'left' && !(await headers()).has('next-action')) redirect(state.to)
  // The answer has the page anew, and no page that was fetched ahead is shown any more.
  if (staysOnPage(state) && form.has('_done')) revalidatePath(CONSOLE_PATH, 'layout')
  return state
}

/** Whether something was stored and the page stays. */
const staysOnPage = (state: FormState): boolean =>
  state.status === 'left' ? state.says !== null : 'saved' in state && state.saved !== undefined

export async function submitFormOf(form: FormData, session: ConsoleSession): Promise<FormState> {
  const text = (field: string): string => textIn(form, field)
  const here = new URL(placeInConsole(text('_here'), session.runtime.baseUrl))
  const context = await contextOf(session)
  const done: Done[] = []
  let part = ''
  try {
    const named = formsIn(form).map((each) => ({ ...each, operation: operationOf(textIn(each.form, '_operation')) }))
    if (named.some(({ operation }) => operation.danger) && !isFresh(session))
      return { status: 'step-up', to: signInUrl(here.pathname + here.search, { fresh: true }), sent: keptOf(form) }
    if (form.has('_confirm') && text('_confirm') !== text('_typed').trim())
      return { status: 'unconfirmed', sent: keptOf(form) }
    const steps: Step[] = []
    for (const each of named) {
      part = each.part
      const call = await callOf(each, session, context)
      if (named.length > 1) await checkCall(each.operation, call, context)
      steps.push({ ...each, call })
    }
    for (const step of steps) {
      part = step.part
      done.push(await perform(step, session, context))
    }
  } catch (error) {
    const refused = await refusalOf(error, part, form, session)
    return done.length === 0
      ? refused
      : { ...refused, saved: done.map((each) => each.part).join(' '), undo: undoOf(done) }
  }
  await session.runtime.trail.settled()
  const { outcome, revealed } = done.at(-1) ?? NOTHING
  const next = nextOf(text('_next'), outcome, session)
  if (revealed !== undefined) return { status: 'done', ...revealed, next }
  const undo = undoOf(done)
  if (next !== null) return { status: 'left', to: next, undo, asks: null, says: null }
  const says = text('_done') || 'done'
  return { status: 'left', to: `${here.pathname}?${withDone(here.searchParams, says)}`, undo, asks: null, says }
}

/** A form of one operation. `part`: its name, where it is one of several. */
type OneForm = { part: string; form: FormData; operation: Reference }
type Step = OneForm & { call: ConsoleCall }
type Done = { part: string; outcome: OperationOutcome; revealed?: Revealed | undefined; undo: FormPart | null }
type Revealed = { revealed: string; content: string } & RevealedText

/** A form of several operations without a change. */
const NOTHING: Pick<Done, 'outcome' | 'revealed'> = { outcome: {} }

/** More parts than any page has. */
const MAX_PARTS = 20

/** The forms of the operations of one form; of several, of those whose members were changed. */
function formsIn(form: FormData): Omit<OneForm, 'operation'>[] {
  if (!form.has('_parts')) return [{ part: '', form }]
  const parts = [jsonIn(textIn(form, '_parts'))].flat().filter(isJsonObject)
  if (parts.length > MAX_PARTS) throw new DomainError('invalid_request', 'The form has too many parts.')
  const [now, was] = [textsOf(form.entries()), textsFrom(textIn(form, '_was'))]
  return parts.flatMap(({ operation, params, tag, body }) => {
    const part = String(operation)
    const [own, before] = [textsOfPart(now, part), textsOfPart(was, part)]
    if (body === undefined && changedMembers(own, before).length === 0) return []
    const fixed = {
      _operation: part,
      _params: JSON.stringify(params ?? {}),
      _ifMatch: typeof tag === 'string' ? tag : '',
    }
    const of = new FormData()
    for (const [name, value] of Object.entries(fixed)) of.set(name, value)
    if (body === undefined) of.set('_was', JSON.stringify(before))
    else of.set('_body', JSON.stringify(body))
    for (const [name, values] of Object.entries(own)) for (const value of values) of.append(name, value)
    return [{ part, form: of }]
  })
}

async function callOf(
  { form, operation }: OneForm,
  session: ConsoleSession,
  context: ConsoleContext,
): Promise<ConsoleCall> {
  const params = textsIn(textIn(form, '_params'))
  return {
    params,
    query: textsIn(textIn(form, '_query')),
    body: operation.body
      ? await withWholeObjects(operation, params, await namedIn(form, operation, session), context)
      : undefined,
    ifMatch: textIn(form, '_ifMatch') || null,
  }
}

async function perform(step: Step, session: ConsoleSession, context: ConsoleContext): Promise<Done> {
  const { part, operation, form, call } = step
  const outcome = await callOperation(operation, call, context)
  if (operation === clients.create) await enableFor(outcome.id ?? '', form, context, session)
  const secret = madeSecret(operation, outcome, context.actor)
  return {
    part,
    outcome,
    ...(secret !== undefined && {
      revealed: {
        revealed: secret,
        content: contentOf(secret),
        ...textOfRevealed(operation, outcome, session.runtime),
      },
    }),
    undo: await undoCallOf(step, context),
  }
}

/** The claims of a token as JSON; empty for another secret. */
const contentOf = (secret: string): string => {
  const decoded = readUnverified(secret)
  return decoded === null ? '' : JSON.stringify(decoded.claims, null, 2)
}

/** What the form states, with the objects that it names. */
async function namedIn(form: FormData, operation: Reference, session: ConsoleSession): Promise<Json> {
  const stated = bodyOf(form, unitOf(operation))
  const shown = Object.values(textsFrom(textIn(form, '_was'))).flat()
  const known = new Set(shown.flatMap((text) => text.split('\n')))
  const schema = schemaOf(operation)
  return (form.has('_body') && !namesMore(form)) || !namesObjects(schema)
    ? stated
    : resolveReferences(schema, stated, known, await consoleOf(session))
}

/** Whether a person put anything in, beside what the form fixes. */
const namesMore = (form: FormData): boolean => Object.keys(textsOf(form.entries())).length > 0

/** What the controls had, but for secrets. */
const keptOf = (form: FormData): string => JSON.stringify(sentValues(form))

const SETS: ReadonlySet<string> = new Set(['PATCH', 'PUT'])

/** The values that a change replaced, for the same operation; none where one of them is a secret. */
async function undoCallOf({ form, operation, call }: Step, context: ConsoleContext): Promise<FormPart | null> {
  const read = SETS.has(operation.method) ? readOf(operation) : undefined
  if (!read || !form.has('_was') || form.has('_body')) return null
  const body = bodyBefore(textsOf(form.entries()), textsFrom(textIn(form, '_was')), unitOf(operation))
  if (body === null || Object.keys(body).length === 0) return null
  const { params = {} } = call
  const now = await callOperation(read, { params }, context)
  return { operation: operation.name, params, body, tag: entityTag(now.body) }
}

/** What takes back all that was done, the last first; empty where something has no way back. */
function undoOf(done: readonly Done[]): string {
  const calls = done.map(({ undo }) => undo)
  return calls.length === 0 || calls.includes(null) ? '' : JSON.stringify(calls.toReversed())
}

/** The application exists already: what is refused here is in the log, and its page shows what is enabled. */
async function enableFor(clientId: string, form: FormData, context: ConsoleContext, { runtime }: ConsoleSession) {
  try {
    await enableDatabases(form, clientId, context)
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    runtime.trail.refused(error, { name: 'console', refused: 'change_refused' })
  }
}

/** The members that the form fixes, and those that were filled in or changed; a list that it fixes is the whole body. */
export function bodyOf(form: FormData, unit?: (path: string) => string): Json {
  const fixed = jsonIn(textIn(form, '_body'))
  if (Array.isArray(fixed)) return fixed
  const was = form.has('_was') ? textsFrom(textIn(form, '_was')) : null
  const { [ENABLED]: _, ...given } = readForm(form.entries(), was, unit)
  const body = { ...(isJsonObject(fixed) ? fixed : {}), ...given }
  return textIn(form, '_proposes') === 'web_origins' ? withOrigins(body) : body
}

/** A page of a new application asks for tokens from the origins that its callbacks are on, if the person names no others. */
function withOrigins(body: JsonObject): JsonObject {
  const { callbacks, web_origins: given } = body
  if (!Array.isArray(callbacks) || (Array.isArray(given) && given.length > 0)) return body
  const origins = callbacks.map((callback) => webOriginOf(String(callback))).filter((origin) => origin !== null)
  return origins.length === 0 ? body : { ...body, web_origins: [...new Set(origins)] }
}

/** The members of an object that are texts, as those of a path and of a query are. */
const textsIn = (text: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(objectIn(jsonIn(text))).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value]] : [],
    ),
  )

function jsonIn(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    return null
  }
}

/** `{id}` is the id of what the operation made. */
function nextOf(next: string, { id = '', body }: OperationOutcome, { runtime }: ConsoleSession): string | null {
  if (next === '') return null
  const made = id || String((body as JsonObject | undefined)?.id ?? '')
  const to = new URL(placeInConsole(next.replace('{id}', encodeURIComponent(made)), runtime.baseUrl))
  return to.pathname + to.search || CONSOLE_PATH
}

function withDone(query: URLSearchParams, done: string): URLSearchParams {
  const next = new URLSearchParams(query)
  next.set('done', done)
  return next
}

/** Of refusals whose own words are for the callers of an API. */
function wordsOf(error: DomainError): string | null {
  if (isRankRefusal(error)) return say('refused.above')
  return error.code === 'insufficient_scope' ? say('refused.scope') : null
}

async function refusalOf(
  error: unknown,
  part: string,
  form: FormData,
  { runtime }: ConsoleSession,
): Promise<Extract<FormState, { status: 'refused' | 'stale' }>> {
  const sent = keptOf(form)
  const refused = (message: string, path: string | null) => {
    const field = part === '' ? path : pathIn(part, path ?? '')
    return { status: 'refused' as const, message, field, sent }
  }
  if (error instanceof UnreadableField)
    return refused(error.place ? say('form.json.broken_at', error.place) : say('form.json.broken'), error.field)
  if (!(error instanceof DomainError)) throw error
  runtime.trail.refused(error, { name: 'console', refused: 'change_refused' })
  await runtime.trail.settled()
  if (error.code === 'precondition_failed') return { status: 'stale', sent, was: textIn(form, '_was') }
  const words = wordsOf(error)
  if (words !== null) return refused(words, null)
  const { message, place } = placeOf(error)
  return refused(message, place)
}
