// Tickets: single-use secrets that permit one thing (a pushed authorization request, a login ticket, a link in a mail). Only the digest is
// stored; the payload says what the holder may do.
// - Finding a ticket does not use it, so a link survives a mail scanner. Consuming succeeds for exactly one caller.
// - A ticket may have a subject: a newer ticket can end the older ones of its subject.
// - What else ends it is decided where it is looked up, by what its kind is bound to (bonds.ts).
import { addSeconds, type Clock } from '../../kernel/clock'
import type { Random } from '../../kernel/random'
import { digest, mint } from '../../kernel/secret'
import { BONDS, type Bond, type TicketName } from './bonds'

/** A kind of ticket, defined beside its use. `P` is plain JSON without secrets. */
export type TicketKind<P> = {
  /** Stored with every ticket: a ticket of another kind is not found. */
  name: string
  bond: Bond
  lifetimeSeconds: number
  /** Never set; carries the payload's type. */
  payload?: P
}

/** How the store finds a ticket. */
export type TicketRef = { kind: Pick<TicketKind<unknown>, 'name' | 'bond'>; digest: Uint8Array }

/** The person, the application, and the session or, without one, the token family. Part of the payload of a kind bound to a session. */
export type TicketMaker = { userId: string; clientId: string; sid: string | null; familyId: string | null }

/** Whose right a link ends with: an administrator's role, a client's grant, a user's permission, or a member's organization. */
export type LinkMaker =
  | { administrator: string; roles: readonly string[] }
  | { client: string; audience: string; scope: string }
  | { user: string; audience: string; scope: string }
  | { member: string; organization: string }

export type StoredTicket = {
  digest: Uint8Array
  kind: string
  bond: Bond
  /** Older tickets of the kind with this subject end; null ends none. */
  subject: string | null
  /** It ends with newer ones, but ends none itself. */
  sparesOlder: boolean
  payload: unknown
  /** Null for a link that a person asked for, and for the operator's. */
  maker: LinkMaker | null
  createdAt: Date
  expiresAt: Date
}

export type TicketPort = {
  /** One statement: ends unused tickets of the same kind and subject, and stores this one, dead if its account does not exist. */
  insert(ticket: StoredTicket): Promise<void>
  /** The payload of a ticket that is neither used nor expired, and that nothing has ended. */
  find(ticket: TicketRef, now: Date): Promise<unknown>
  /** Finds and uses it: exactly one caller gets the payload, all others undefined. */
  consume(ticket: TicketRef, now: Date): Promise<unknown>
  /** One statement: stores it as used; false if it was stored before. */
  claim(ticket: StoredTicket): Promise<boolean>
}

export type TicketDeps = { tickets: TicketPort; clock: Clock; random: Random }

export const ticketKind = <P>(name: TicketName, lifetimeSeconds: number): TicketKind<P> => ({
  name,
  bond: BONDS[name],
  lifetimeSeconds,
})

/** The longest life of a mailed link, in seconds: thirty days, because a link in a mailbox is a key to the account. */
export const MAX_MAILED_SECONDS = 30 * 86_400

type TicketOptions = {
  subject?: string | null
  lifetimeSeconds?: number
  sparesOlder?: boolean
  maker?: LinkMaker | null
}

/** The row of a ticket whose secret is not ours to choose. */
export function ticketOf<P>(
  { name, bond, ...kind }: TicketKind<P>,
  payload: P,
  secret: Uint8Array,
  { clock }: Pick<TicketDeps, 'clock'>,
  { subject = null, lifetimeSeconds = kind.lifetimeSeconds, sparesOlder = false, maker = null }: TicketOptions = {},
): StoredTicket {
  const createdAt = clock.now()
  const expiresAt = addSeconds(createdAt, lifetimeSeconds)
  return { digest: secret, kind: name, bond, subject, sparesOlder, payload, maker, createdAt, expiresAt }
}

/** The secret to hand out and the row to store, for a store that writes it with its other effects. */
export function makeTicket<P>(
  kind: TicketKind<P>,
  payload: P,
  { clock, random }: Pick<TicketDeps, 'clock' | 'random'>,
  options?: TicketOptions,
): { plain: string; ticket: StoredTicket } {
  const secret = mint(random)
  return { plain: secret.plain, ticket: ticketOf(kind, payload, secret.digest, { clock }, options) }
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

export const ticketRef = <P>({ name, bond }: TicketKind<P>, plain: string): TicketRef => ({
  kind: { name, bond },
  digest: digest(plain),
})

export const findTicket = async <P>(
  kind: TicketKind<P>,
  plain: string,
  { tickets, clock }: Omit<TicketDeps, 'random'>,
): Promise<P | null> => ((await tickets.find(ticketRef(kind, plain), clock.now())) as P | undefined) ?? null

export const consumeTicket = async <P>(
  kind: TicketKind<P>,
  plain: string,
  { tickets, clock }: Omit<TicketDeps, 'random'>,
): Promise<P | null> => ((await tickets.consume(ticketRef(kind, plain), clock.now())) as P | undefined) ?? null

/** Finds a ticket that is bound to a session, for the person and application in the session that it was made from. */
export async function findStep<P extends TicketMaker>(
  kind: TicketKind<P>,
  plain: string,
  by: TicketMaker,
  deps: Omit<TicketDeps, 'random'>,
): Promise<P | null> {
  const step = await findTicket(kind, plain, deps)
  return step && isMadeBy(step, by) ? step : null
}

const isMadeBy = (step: TicketMaker, by: TicketMaker): boolean =>
  step.userId === by.userId &&
  step.clientId === by.clientId &&
  (step.sid === null ? step.familyId === by.familyId : step.sid === by.sid)

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
    bond: 'flow',
    subject: null,
    sparesOlder: false,
    payload: {},
    maker: null,
    createdAt: clock.now(),
    expiresAt: until,
  })
