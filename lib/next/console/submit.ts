// What a form of the console does: one operation with what the form states. The form names the operation; what it may do is judged by
// the role of the signed-in person, so a form that someone has changed does no more than that person may.
import { redirect } from 'next/navigation'
import { CONSOLE_PATH } from '../../clients/console'
import { secondsBetween } from '../../kernel/clock'
import { DomainError } from '../../kernel/errors'
import { isJsonObject, type Json, type JsonObject } from '../../kernel/json'
import { callOperation, operationNamed } from '../../management/console-call'
import { placeOf } from '../../management/errors'
import type { Outcome } from '../../management/operation'
import { type ConsoleSession, contextOf } from './entry'
import { readForm, textIn, UnreadableField } from './form'
import { requireSession, signInUrl } from './session'
import { placeInConsole } from './sign-in'

export type FormState =
  | { status: 'new' }
  /** `revealed`: a secret that is shown this once. */
  | { status: 'done'; revealed: string; next: string | null }
  | { status: 'refused'; message: string; field: string | null }
  | { status: 'unconfirmed' | 'stale' }
  | { status: 'step-up'; to: string }

/** Seconds: a dangerous step needs a login that is no older. */
const FRESH = 600

/** Operations that reveal, replace or destroy something, beside all that delete. */
const DANGEROUS = new Set([
  'clients.rotate_secret',
  'custom_domains.verify',
  'jobs.users_exports',
  'signing_keys.revoke',
  'signing_keys.rotate',
])

/** Deleting a block gives back what a wrong password took. */
const HARMLESS = new Set(['user_blocks.lift', 'user_blocks.lift_of_user', 'anomaly.blocked_ips.delete'])

export const isDangerous = (name: string): boolean =>
  DANGEROUS.has(name) ||
  name.startsWith('administrators.') ||
  (operationNamed(name).method === 'DELETE' && !HARMLESS.has(name))

const isFresh = ({ authenticatedAt, runtime }: ConsoleSession): boolean =>
  secondsBetween(authenticatedAt, runtime.clock.now()) <= FRESH

export async function submitForm(form: FormData): Promise<FormState> {
  const session = await requireSession()
  const text = (field: string): string => textIn(form, field)
  const name = text('_operation')
  const here = new URL(placeInConsole(text('_here'), session.runtime.baseUrl))
  let outcome: Outcome
  try {
    const operation = operationNamed(name)
    if (isDangerous(name) && !isFresh(session))
      return { status: 'step-up', to: signInUrl(here.pathname + here.search, true) }
    if (form.has('_confirm') && text('_confirm') !== text('_typed').trim()) return { status: 'unconfirmed' }
    const body = operation.body ? bodyOf(form) : undefined
    const call = {
      params: objectOf(text('_params')),
      query: objectOf(text('_query')),
      body,
      ifMatch: text('_ifMatch') || null,
    }
    outcome = await callOperation(name, call, await contextOf(session))
  } catch (error) {
    return refusalOf(error, session)
  }
  await session.runtime.trail.settled()
  const next = nextOf(text('_next'), outcome, session)
  const reveal = text('_reveal')
  const revealed = reveal === '' ? undefined : (outcome.body as JsonObject | undefined)?.[reveal]
  if (typeof revealed === 'string') return { status: 'done', revealed, next }
  redirect(next ?? `${here.pathname}?${withDone(here.searchParams, text('_done') || 'done')}`)
}

/** The members that the form fixes, and those that were filled in or changed; a list that it fixes is the whole body. */
export function bodyOf(form: FormData): Json {
  const fixed = jsonIn(textIn(form, '_body'))
  if (Array.isArray(fixed)) return fixed
  const was = form.has('_was') ? objectOf(textIn(form, '_was')) : null
  return { ...(isJsonObject(fixed) ? fixed : {}), ...readForm(form.entries(), was) }
}

function objectOf(text: string): Record<string, string> {
  const value = jsonIn(text)
  return isJsonObject(value) ? (value as Record<string, string>) : {}
}

function jsonIn(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    return null
  }
}

/** `{id}` is the id of what the operation made. */
function nextOf(next: string, { id = '', body }: Outcome, { runtime }: ConsoleSession): string | null {
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

async function refusalOf(error: unknown, { runtime }: ConsoleSession): Promise<FormState> {
  if (error instanceof UnreadableField)
    return { status: 'refused', message: 'This is not valid JSON.', field: error.field }
  if (!(error instanceof DomainError)) throw error
  runtime.trail.refused(error, { name: 'console', refused: 'change_refused' })
  await runtime.trail.settled()
  if (error.code === 'precondition_failed') return { status: 'stale' }
  const { message, place } = placeOf(error)
  return { status: 'refused', message, field: place }
}
