// Tickets: single-use secrets that permit one thing (a pushed authorization request, a login ticket, a link in a mail). Only the digest is
// stored; the payload says what the holder may do.
// - Finding a ticket does not use it, so a link survives a mail scanner. Consuming succeeds for exactly one caller.
// - A ticket may have a subject: a newer ticket can end the older ones of its subject.
import { addSeconds, type Clock } from '../kernel/clock'
import type { Random } from '../kernel/random'
import { digest, mint } from '../kernel/secret'

/** A kind of ticket, defined beside its use. `P` is plain JSON without secrets. */
export type TicketKind<P> = {
  /** Stored with every ticket: a ticket of another kind is not found. */
  name: string
  lifetimeSeconds: number
  /** Never set; carries the payload's type. */
  payload?: P
}

export type StoredTicket = {
  digest: Uint8Array
  kind: string
  /** Older tickets of the kind with this subject end; null ends none. */
  subject: string | null
  payload: unknown
  createdAt: Date
  expiresAt: Date
}

export type TicketPort = {
  /** One statement: ends unused tickets of the same kind and subject, and stores this one. */
  insert(ticket: StoredTicket): Promise<void>
  /** The payload of a ticket that is neither used nor expired. */
  find(kind: string, digest: Uint8Array, now: Date): Promise<unknown>
  /** Finds and uses it: exactly one caller gets the payload, all others undefined. */
  consume(kind: string, digest: Uint8Array, now: Date): Promise<unknown>
  /** One statement: stores it as used; false if it was stored before. */
  claim(ticket: StoredTicket): Promise<boolean>
}

export type TicketDeps = { tickets: TicketPort; clock: Clock; random: Random }

export const ticketKind = <P>(name: string, lifetimeSeconds: number): TicketKind<P> => ({ name, lifetimeSeconds })

type TicketOptions = { subject?: string | null; lifetimeSeconds?: number }

/** The secret to hand out and the row to store, for a store that writes it with its other effects. */
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

/** Stores a ticket and returns the secret to hand out. */
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

/** A replay cache for secrets of others: true for the first use of `name`. */
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
