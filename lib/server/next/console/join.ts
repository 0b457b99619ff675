// An invitation to the console: who is signed in accepts it, once. Its forms are native posts to route handlers (docs/adr/0003).

import { CONSOLE_PATH } from '../../../data/clients/console'
import { findTicket } from '../../../data/tickets/ticket'
import { DomainError } from '../../../kernel/errors'
import { canonical } from '../../../kernel/mail-address'
import type { Parameters } from '../../../kernel/parameters'
import { digest } from '../../../kernel/secret'
import { type AdministratorInvitation, INVITATION } from '../../../management/operations/console-administrators'
import { placeOf } from '../../../management/operations/errors'
import type { Runtime } from '../../runtime/runtime'
import { type Arrived, enter } from './entry'
import { firstInvitation, makeFirstAccount } from './first-account'
import { readArrived, readEntry, signInUrl } from './session'
import { beginSignIn, type RedirectWithCookies } from './sign-in'

/** The name of a signed-in person who is no administrator; null for anyone else. */
export async function nameOfStranger(): Promise<string | null> {
  const entry = await readEntry()
  return entry.state === 'stranger' ? nameOf(entry.userId, entry.runtime) : null
}

async function nameOf(userId: string, { profiles }: Runtime): Promise<string> {
  const found = await profiles.find(userId)
  return found?.user.email ?? found?.user.name ?? userId
}

export type JoinPage =
  /** No user is signed in: where the sign-in starts. `account`: the first owner makes one; what was wrong with it. */
  { state: 'sign-in'; to: string; account: { email: string | undefined } | null; problem: JoinProblem | null } | Offered

/** What the link offers to the person who is signed in. */
type Offered =
  | { state: 'void' }
  /** The invitation is for an address: of another person, or of this one, who has not confirmed it yet. */
  | { state: 'other'; user: string }
  | { state: 'unconfirmed'; user: string }
  | { state: 'ready'; invitation: AdministratorInvitation; user: string }

export async function readInvitation(ticket: string, problem: string): Promise<JoinPage> {
  const entry = await readEntry()
  if (entry.state === 'signed-out') {
    const { runtime } = await readArrived()
    const invitation = await firstInvitation(ticket, runtime)
    return {
      state: 'sign-in',
      to: signInUrl(joinPath(ticket)),
      account: invitation && { email: invitation.email },
      problem: readProblem(problem, runtime),
    }
  }
  const { runtime, userId } = person(entry)
  return offerTo(userId, ticket, runtime)
}

export async function offerTo(userId: string, ticket: string, runtime: Runtime): Promise<Offered> {
  const invitation = await findTicket(INVITATION, ticket, runtime)
  if (!invitation) return { state: 'void' }
  const user = await nameOf(userId, runtime)
  const { email } = invitation
  if (email === undefined) return { state: 'ready', invitation, user }
  const found = (await runtime.profiles.find(userId))?.user
  if (canonical(found?.email ?? '') !== canonical(email)) return { state: 'other', user }
  return found?.emailVerified ? { state: 'ready', invitation, user } : { state: 'unconfirmed', user }
}

/** What was wrong with the account that was to be made. It is sealed, because the page shows what its address says. */
export type JoinProblem = { message: string; email: string }

const PROBLEM = 'console-join-problem'

function readProblem(sealed: string, { vault }: Runtime): JoinProblem | null {
  const text = vault.openText(PROBLEM, sealed)
  return text === null ? null : (JSON.parse(text) as JoinProblem)
}

/** The page of an invitation. */
export const JOIN_PATH = `${CONSOLE_PATH}/join`

const joinPath = (ticket: string, more: Readonly<Record<string, string>> = {}): string =>
  `${JOIN_PATH}?${new URLSearchParams({ ticket, ...more })}`

/** The signed-in person accepts. The answer of a link that is void is the page that says so. */
export async function acceptInvitation({ ticket = '' }: Parameters, arrived: Arrived): Promise<RedirectWithCookies> {
  const entry = await enter(arrived)
  const again = { to: joinPath(ticket), cookies: [] }
  if (entry.state === 'signed-out') return again
  const { runtime, userId } = person(entry)
  if ((await offerTo(userId, ticket, runtime)).state !== 'ready') return again
  const role = await runtime.administrators.accept(digest(ticket), userId, runtime.clock.now())
  if (role === null) return again
  runtime.trail.context({ user: { id: userId, email: null } })
  runtime.trail.record('changed', { change: `became an administrator: ${role}`, target: userId })
  return { to: CONSOLE_PATH, cookies: [] }
}

/** Makes the account of the first owner, and signs it in. */
export async function makeAccount(
  { ticket = '', email = '', password = '' }: Parameters,
  { runtime, request }: Arrived,
): Promise<RedirectWithCookies> {
  const person = { email: email.trim(), password }
  try {
    const proof = await makeFirstAccount(ticket, person, runtime, request.ip)
    return proof ? beginSignIn(CONSOLE_PATH, { proof }, request, runtime) : { to: joinPath(ticket), cookies: [] }
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    const message = [placeOf(error).message, error.detail ?? []].flat().join('\n')
    const problem: JoinProblem = { message, email: person.email.slice(0, MAX_EMAIL) }
    const sealed = runtime.vault.sealText(PROBLEM, JSON.stringify(problem), runtime.random)
    return { to: joinPath(ticket, { problem: sealed }), cookies: [] }
  }
}

/** Of an address that is shown again. */
const MAX_EMAIL = 320

const person = (entry: Exclude<Awaited<ReturnType<typeof readEntry>>, { state: 'signed-out' }>) =>
  entry.state === 'in'
    ? { runtime: entry.session.runtime, userId: entry.session.administrator.userId }
    : { runtime: entry.runtime, userId: entry.userId }
