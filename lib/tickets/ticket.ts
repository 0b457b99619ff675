// Tickets: what may be done once with a secret that was handed out (a pushed authorization request, a login ticket, a
// link in a mail). Only the digest is stored; the payload is what the holder may do.
// - Looking changes nothing, so a link survives whatever opens it first. Consuming lets exactly one caller through.
// - A ticket may carry a subject: a newer one for it can end the older ones.
import { addSeconds, type Clock } from '../kernel/clock'
import type { Random } from '../kernel/random'
import { digest, mint } from '../kernel/secret'

/** One kind of ticket, defined beside what it is for. `P` is plain JSON and holds no secret. */
export type TicketKind<P> = {
  /** Stored with every ticket: one of another kind is not found. */
  name: string
  lifetimeSeconds: number
  /** Never set; it carries the payload's type. */
  payload?: P
}

export type StoredTicket = {
  digest: Uint8Array
  kind: string
  /** What older tickets of the kind are ended by; null for none. */
  subject: string | null
  payload: unknown
  createdAt: Date
  expiresAt: Date
}

export type TicketPort = {
  /** In one statement: ends the unused tickets of the same kind and subject, and keeps this one. */
  insert(ticket: StoredTicket): Promise<void>
  /** The payload of a ticket that is neither used nor over. */
  find(kind: string, digest: Uint8Array, now: Date): Promise<unknown>
  /** The same, and uses it: of any number of callers one gets the payload, the others undefined. */
  consume(kind: string, digest: Uint8Array, now: Date): Promise<unknown>
  /** In one statement: keeps this one as used; false for whoever is not the first with it. */
  claim(ticket: StoredTicket): Promise<boolean>
}

export type TicketDeps = { tickets: TicketPort; clock: Clock; random: Random }

export const ticketKind = <P>(name: string, lifetimeSeconds: number): TicketKind<P> => ({ name, lifetimeSeconds })

type TicketOptions = { subject?: string | null; lifetimeSeconds?: number }

/** The secret to hand out, and the row to store; for a store that writes it together with what else it causes. */
export function makeTicket<P>(
  kind: TicketKind<P>,
  payload: P,
  { clock, random }: Pick<TicketDeps, 'clock' | 'random'>,
  { subject = null, lifetimeSeconds = kind.lifetimeSeconds }: TicketOptions = {},
): { plain: string; ticket: StoredTicket } {
  const secret = mint(random)
  const createdAt = clock.now()
  const expiresAt = addSeconds(createdAt, lifetimeSeconds)
  return {
    plain: secret.plain,
    ticket: { digest: secret.digest, kind: kind.name, subject, payload, createdAt, expiresAt },
  }
}

/** The secret to hand out. */
export async function issueTicket<P>(
  kind: TicketKind<P>,
  payload: P,
  deps: TicketDeps,
  options?: TicketOptions,
): Promise<string> {
  const { plain, ticket } = makeTicket(kind, payload, deps, options)
  await deps.tickets.insert(ticket)
  return plain
}

export const findTicket = async <P>(
  kind: TicketKind<P>,
  plain: string,
  { tickets, clock }: Omit<TicketDeps, 'random'>,
): Promise<P | null> => ((await tickets.find(kind.name, digest(plain), clock.now())) as P | undefined) ?? null

export const consumeTicket = async <P>(
  kind: TicketKind<P>,
  plain: string,
  { tickets, clock }: Omit<TicketDeps, 'random'>,
): Promise<P | null> => ((await tickets.consume(kind.name, digest(plain), clock.now())) as P | undefined) ?? null

/** For what others made and may be used here once: true for the first that brings `name`, which no other use shares. */
export const claimName = (
  kind: string,
  name: string,
  until: Date,
  { tickets, clock }: { tickets: Pick<TicketPort, 'claim'>; clock: Clock },
): Promise<boolean> =>
  tickets.claim({
    digest: digest(`${kind} ${name}`),
    kind,
    subject: null,
    payload: {},
    createdAt: clock.now(),
    expiresAt: until,
  })
