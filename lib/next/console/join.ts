// An invitation to the console: who is signed in accepts it, once.

import { revalidatePath } from 'next/cache'
import { redirect } from 'next/navigation'
import { CONSOLE_PATH } from '../../clients/console'
import { DomainError } from '../../kernel/errors'
import { canonical } from '../../kernel/mail-address'
import { digest } from '../../kernel/secret'
import { INVITATION, type Invitation } from '../../management/console-administrators'
import { placeOf } from '../../management/errors'
import type { Runtime } from '../../runtime/runtime'
import { findTicket } from '../../tickets/ticket'
import { makeFirstAccount, mayMakeAccount } from './first-account'
import { readArrived, readEntry, signInUrl } from './session'

/** The name of a signed-in person who is no administrator; null for anyone else. */
export async function nameOfStranger(): Promise<string | null> {
  const entry = await readEntry()
  return entry.state === 'stranger' ? nameOf(entry.userId, entry.runtime) : null
}

async function nameOf(userId: string, { profiles }: Runtime): Promise<string> {
  const found = await profiles.find(userId)
  return found?.user.email ?? found?.user.name ?? userId
}

export type Joining =
  | { state: 'void' }
  /** No user is signed in: where the sign-in starts. */
  | { state: 'sign-in'; to: string; mayMakeAccount: boolean }
  | { state: 'ready'; invitation: Invitation; user: string }

export async function readInvitation(ticket: string): Promise<Joining> {
  const entry = await readEntry()
  if (entry.state === 'signed-out')
    return {
      state: 'sign-in',
      to: signInUrl(`${CONSOLE_PATH}/join?ticket=${encodeURIComponent(ticket)}`),
      mayMakeAccount: await mayMakeAccount(ticket, (await readArrived()).runtime),
    }
  const { runtime, userId } = person(entry)
  const invitation = await findTicket(INVITATION, ticket, runtime)
  if (!invitation || !(await isFor(invitation, userId, runtime))) return { state: 'void' }
  return { state: 'ready', invitation, user: await nameOf(userId, runtime) }
}

export async function acceptInvitation(ticket: string): Promise<void> {
  const joining = await readInvitation(ticket)
  if (joining.state === 'sign-in') redirect(joining.to)
  if (joining.state === 'ready') {
    const entry = await readEntry()
    if (entry.state === 'signed-out') redirect(CONSOLE_PATH)
    const { runtime, userId } = person(entry)
    const role = await runtime.administrators.accept(digest(ticket), userId, runtime.clock.now())
    if (role !== null) {
      runtime.trail.context({ user: { id: userId, email: null } })
      runtime.trail.record('changed', {
        change: 'administrators.accept',
        target: userId,
        difference: { role: [null, role] },
      })
      await runtime.trail.settled()
      // The frame around the pages is another one from now on.
      revalidatePath(CONSOLE_PATH, 'layout')
      redirect(CONSOLE_PATH)
    }
  }
  redirect(`${CONSOLE_PATH}/join?ticket=`)
}

export type AccountState = { problem: string | null }

/** Makes the account of the first owner, and starts its sign-in. */
export async function makeAccount(ticket: string, email: string, password: string): Promise<AccountState> {
  const { runtime, request } = await readArrived()
  try {
    if (!(await makeFirstAccount(ticket, { email, password }, runtime, request.ip))) return { problem: null }
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    return { problem: placeOf(error).message }
  }
  await runtime.trail.settled()
  redirect(signInUrl(CONSOLE_PATH))
}

const person = (entry: Exclude<Awaited<ReturnType<typeof readEntry>>, { state: 'signed-out' }>) =>
  entry.state === 'in'
    ? { runtime: entry.session.runtime, userId: entry.session.administrator.userId }
    : { runtime: entry.runtime, userId: entry.userId }

async function isFor({ email }: Invitation, userId: string, { profiles }: Runtime): Promise<boolean> {
  if (email === undefined) return true
  const user = (await profiles.find(userId))?.user
  return user?.emailVerified === true && canonical(user.email ?? '') === canonical(email)
}
