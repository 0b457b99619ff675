// A reset of a password as the origin of a login that signs no one in. Its link is a secret, so it is stored sealed.

import { type OpenReset, openReset, RESET } from '../identity/accounts/reset-password'
import type { Random } from '../kernel/random'
import type { Vault } from '../kernel/secret'
import type { LoginDeps } from './deps'
import { expiredLink } from './expired-link'
import type { Origin, Wants } from './transaction'

const SEALED = 'link of a reset'

type ResetRequest = { sealed: string }

export function resetOrigin(ticket: string, { vault, random }: { vault: Vault; random: Random }): Origin {
  const request: ResetRequest = { sealed: vault.sealText(SEALED, ticket, random) }
  return { protocol: 'reset', request }
}

/** The login is for a new password; `reset` of its request is the only place that says so. */
export const isReset = ({ wants }: { wants: Pick<Wants, 'reset'> }): boolean => wants.reset === true

/** The audit event of a login that is refused; a reset of a password is one that signs no one in. */
export const refusalEvent = ({ reset }: { reset?: unknown }) =>
  reset ? ('password_change_refused' as const) : ('login_refused' as const)

/** @throws for a secret of this server that it does not know any more */
function ticketIn(request: unknown, { vault }: { vault: Vault }): string {
  const ticket = vault.openText(SEALED, (request as ResetRequest).sealed)
  if (ticket === null) throw expiredLink('reset-password')
  return ticket
}

/** @throws for a link that is used or has ended since */
export async function openedReset(request: unknown, deps: LoginDeps): Promise<OpenReset & { ticket: string }> {
  const ticket = ticketIn(request, deps)
  const open = await openReset(ticket, deps)
  if (!open) throw expiredLink('reset-password')
  return { ...open, ticket }
}

/** The page of the link. */
export const pageOf = (ticket: string, baseUrl: string, passed?: string): string =>
  `${baseUrl}${RESET.path}?${new URLSearchParams({ ticket, ...(passed === undefined ? {} : { passed }) })}`
