// A WebAuthn ceremony (creating or using a credential) between its start and its end.
// - Its challenge and its facts are in a sealed session that the caller holds, so starting one stores nothing.
// - A session ends one ceremony of its kind, of its tenant: its challenge is consumed before anything is verified, and of
//   concurrent callers one consumes it (threat-model.md PK1).

import { claimName, type TicketPort } from '../../data/tickets/ticket'
import { addSeconds, type Clock } from '../../kernel/clock'
import type { Random } from '../../kernel/random'
import type { Vault } from '../../kernel/secret'

/** A kind of ceremony, defined beside its use. `P` is plain JSON: what the end has to know. */
export type CeremonyKind<P> = {
  name: string
  seconds: number
  /** Never set; carries the payload's type. */
  payload?: P
}

export type CeremonyDeps = {
  tenantId: string
  tickets: Pick<TicketPort, 'claim'>
  vault: Vault
  random: Random
  clock: Clock
}

export type Ceremony<P> = { challenge: string; payload: P }

type Sealed<P> = Ceremony<P> & { tenantId: string; until: number }

export const ceremonyKind = <P>(name: string, seconds: number): CeremonyKind<P> => ({ name, seconds })

const purposeOf = ({ name }: { name: string }): string => `webauthn-${name}`

export function beginCeremony<P>(
  kind: CeremonyKind<P>,
  payload: P,
  { tenantId, vault, random, clock }: CeremonyDeps,
): { session: string; challenge: string } {
  const challenge = random.token()
  const until = addSeconds(clock.now(), kind.seconds).getTime()
  const sealed: Sealed<P> = { challenge, payload, tenantId, until }
  const session = vault.sealText(purposeOf(kind), JSON.stringify(sealed), random)
  return { session, challenge }
}

/** Null if the session is unknown, expired or used; it is used afterwards. */
export async function takeCeremony<P>(
  kind: CeremonyKind<P>,
  session: string,
  deps: CeremonyDeps,
): Promise<Ceremony<P> | null> {
  const opened = openCeremony(kind, session, deps)
  if (!opened) return null
  const { challenge, payload, until } = opened
  return (await claimName(purposeOf(kind), challenge, new Date(until), deps)) ? { challenge, payload } : null
}

function openCeremony<P>(kind: CeremonyKind<P>, session: string, { tenantId, vault, clock }: CeremonyDeps) {
  const plain = vault.openText(purposeOf(kind), session)
  if (!plain) return null
  const sealed = JSON.parse(plain) as Sealed<P>
  return sealed.tenantId === tenantId && sealed.until > clock.now().getTime() ? sealed : null
}
