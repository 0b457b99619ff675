// A captcha of our own origin: the browser searches a number whose digest is known (the scheme of ALTCHA).
// - The challenge is in a sealed session that the page holds, so making one stores nothing. The session says its tenant, its login
//   and its end; a number is accepted once (threat-model.md BD2).
// - The search ends: the number is below `MAX`.

import { claimName, type TicketPort } from '../../data/tickets/ticket'
import { addSeconds, type Clock } from '../../kernel/clock'
import type { Random } from '../../kernel/random'
import { digestHex, type Vault } from '../../kernel/secret'

export type WorkDeps = {
  tenantId: string
  tickets: Pick<TicketPort, 'claim'>
  vault: Vault
  random: Random
  clock: Clock
}

/** What a page passes to its script: the number below `max` for which SHA-256(salt + number) is `target`. */
export type Work = { session: string; salt: string; target: string; max: number }

/** About a second of a phone. */
const MAX = 100_000
const SECONDS = 3600
const PURPOSE = 'proof-of-work'

type Sealed = { salt: string; number: number; login: string; tenantId: string; until: number }

/** `login` is the digest of a login's handle; empty for a challenge of the API. */
export function makeWork(login: string, { tenantId, vault, random, clock }: Omit<WorkDeps, 'tickets'>): Work {
  const salt = random.token()
  const number = random.bytes(4).readUInt32BE() % MAX
  const until = addSeconds(clock.now(), SECONDS).getTime()
  const sealed: Sealed = { salt, number, login, tenantId, until }
  const session = vault.sealText(PURPOSE, JSON.stringify(sealed), random)
  return { session, salt, target: digestHex(salt + number), max: MAX }
}

/** Whether the number solves this login's challenge, for the first time. A wrong number uses the challenge up as well. */
export async function isWorkDone(session: string, number: string, login: string, deps: WorkDeps): Promise<boolean> {
  const plain = deps.vault.openText(PURPOSE, session)
  if (!plain) return false
  const sealed = JSON.parse(plain) as Sealed
  const isOurs = sealed.tenantId === deps.tenantId && sealed.login === login
  if (!isOurs || sealed.until <= deps.clock.now().getTime()) return false
  const isFirst = await claimName(PURPOSE, sealed.salt, new Date(sealed.until), deps)
  return isFirst && number === String(sealed.number)
}
