// The tenant's rules of a reset (`password-reset-post-challenge`): they refuse it, name where it leads in the end, or ask for more first, as at
// a login (lib/login/begin/start-reset.ts). What they let pass then is sealed, for the page that asks for the password again.
import { addSeconds, type Clock } from '../../kernel/clock'
import type { Random } from '../../kernel/random'
import { digest, type Vault } from '../../kernel/secret'
import type { EventMethod, PasswordResetEvent } from '../tenant-code/event'
import { eventUser } from '../tenant-code/events'
import type { EventSubject } from '../tenant-code/subject'
import { type Effects, noEffects } from '../tenant-code/trigger'
import type { RequestContext } from './account-link'
import { causeOf } from './account-triggers'
import type { OpenReset, ResetDeps } from './reset-password'

export const AT_RESET = 'password-reset-post-challenge'

/** @param factors proven since the link was opened */
export async function eventFor(
  { payload, connection }: Pick<OpenReset, 'payload' | 'connection'>,
  subject: EventSubject,
  factors: readonly EventMethod[],
  context: Pick<RequestContext, 'ip' | 'request'>,
  deps: Pick<ResetDeps, 'clients' | 'tenantId' | 'organizations' | 'clock'>,
): Promise<PasswordResetEvent> {
  const { clientId, organizationId } = payload
  const organization = organizationId === undefined ? null : await deps.organizations.find(organizationId)
  const isProven = payload.proves ?? true
  const link = isProven ? [{ name: 'email', timestamp: deps.clock.now().toISOString() }] : []
  return {
    ...(await causeOf(connection, { ...context, clientId, organization }, deps)),
    authentication: { methods: [...link, ...factors] },
    authorization: { roles: subject.roles },
    stats: { logins_count: subject.loginsCount },
    transaction: {},
    user: eventUser(subject),
  }
}

/** Opening the link runs nothing, because mail scanners open links. Null where no action is bound, and without an account. */
export async function runRules(
  open: OpenReset,
  context: Pick<RequestContext, 'ip' | 'request'>,
  deps: ResetDeps,
): Promise<Effects | null> {
  if (!deps.triggers.isBound(AT_RESET)) return null
  const subject = await deps.eventSubjects.find(open.user.id, open.payload.organizationId)
  return subject && deps.triggers.run(AT_RESET, await eventFor(open, subject, [], context, deps))
}

const SEALED = 'reset that rules let pass'
const SECONDS = 600

/** `browser` is the digest that binds the pages to it (lib/login/browser.ts). */
type Pass = { link: string; browser: string; until: string; resultUrl?: string }
type PassDeps = { vault: Vault; clock: Pick<Clock, 'now'> }

/** For this link and browser alone, for ten minutes. */
export function writePass(
  ticket: string,
  browser: Uint8Array,
  { resultUrl }: Pick<Effects, 'resultUrl'>,
  { vault, random, clock }: PassDeps & { random: Random },
): string {
  const until = addSeconds(clock.now(), SECONDS).toISOString()
  const pass: Pass = {
    link: linkOf(ticket),
    browser: Buffer.from(browser).toString('base64url'),
    until,
    ...(resultUrl === undefined ? {} : { resultUrl }),
  }
  return vault.sealText(SEALED, JSON.stringify(pass), random)
}

/** What a page brings back, and whether it is in the browser of a digest. */
export type CheckedReset = { text: string; isBound(browser: Uint8Array): boolean }

/** Null for what does not let this link pass in this browser. */
export function readPass(passed: CheckedReset | undefined, ticket: string, { vault, clock }: PassDeps): Effects | null {
  const text = passed === undefined ? null : vault.openText(SEALED, passed.text)
  if (!passed || text === null) return null
  const { link, browser, until, resultUrl } = JSON.parse(text) as Pass
  if (link !== linkOf(ticket) || new Date(until) <= clock.now()) return null
  if (!passed.isBound(Buffer.from(browser, 'base64url'))) return null
  return { ...noEffects(), ...(resultUrl === undefined ? {} : { resultUrl }) }
}

const linkOf = (ticket: string): string => digest(ticket).toString('base64url')
