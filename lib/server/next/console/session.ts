// The signed-in administrator of a request that Next answers.
import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { cache } from 'react'
import { CONSOLE_PATH } from '../../../data/clients/console'
import type { HttpRequest } from '../../../http/message'
import { requestOf } from '../page'
import { runtimeForRequest } from '../runtime'
import { ADDRESS } from '../screen-address'
import { type Arrived, type ConsoleEntry, type ConsoleSession, enter } from './entry'
import { MAX_PLACE, SIGN_IN_PATH, type SignInWish } from './sign-in'

/** The tenant of a request, and the request. */
export async function consoleRuntime(address: URL, sent: HttpRequest['headers']): Promise<Arrived> {
  const { registry, readPeer } = await runtimeForRequest()
  const tenant = await registry.runtimeFor(sent.host)
  const request = tenant.received(requestOf(address, sent, readPeer(sent)))
  return { runtime: tenant.within(request), request }
}

/** Once per request: layout, page and actions share it. */
export const readArrived = cache(async (): Promise<Arrived> => {
  const { address, sent } = await addressed()
  return consoleRuntime(address, sent)
})

export const readEntry = cache(async (): Promise<ConsoleEntry> => enter(await readArrived()))

async function addressed(): Promise<{ address: URL; sent: HttpRequest['headers'] }> {
  const sent = Object.fromEntries(await headers())
  return { address: new URL(sent[ADDRESS] ?? CONSOLE_PATH, 'http://localhost'), sent }
}

/**
 * Anyone else belongs elsewhere: at the sign-in, and then back at this page. The first page may name the connection to sign in by, as the
 * account portal may.
 */
export async function findSession(): Promise<ConsoleSession | { elsewhere: string }> {
  const entry = await readEntry()
  if (entry.state === 'in') return entry.session
  if (entry.state === 'stranger') return { elsewhere: `${CONSOLE_PATH}/no-administrator` }
  const { address } = await addressed()
  const connection = address.pathname === CONSOLE_PATH ? address.searchParams.get('connection') : null
  const to = connection === null ? address.pathname + address.search : CONSOLE_PATH
  return { elsewhere: signInUrl(to, { connection }) }
}

export async function requireSession(): Promise<ConsoleSession> {
  const found = await findSession()
  if ('elsewhere' in found) redirect(found.elsewhere)
  return found
}

export function signInUrl(to: string, { fresh = false, connection = null }: Omit<SignInWish, 'proof'> = {}): string {
  const query = new URLSearchParams({
    ...(to.length > MAX_PLACE ? {} : { to }),
    ...(fresh ? { fresh: '1' } : {}),
    ...(connection === null ? {} : { connection }),
  })
  return `${SIGN_IN_PATH}?${query}`
}
