// A code in place of the link to a new password, for the page that asked for it: the vendor's verification method `otp` of a connection's
// addresses. The mail has both (threat-model.md DB6, PW1).
// - A code is a keyed digest of the login, the address and the request, so nothing is stored for it, and it is of no use in another
//   login. It works once, for ten minutes.
// - Every try counts, right or wrong, before it is compared: of the login, and of the address over all logins. The link keeps working.
import type { DatabaseConnection } from '../../data/connections/connection'
import { claimName, issueTicket } from '../../data/tickets/ticket'
import { takeAllowance } from '../../data/users/allowance'
import { canonical } from '../../data/users/user'
import { addSeconds } from '../../kernel/clock'
import { equalsConstantTime, type Vault } from '../../kernel/secret'
import { readCode } from '../../kernel/typed'
import { type LinkDeps, type LinkPayload, linkSubject } from './account-link'
import { mailableAddress } from './account-mail'
import { RESET } from './reset-password'

/** What the login keeps of a request; `salt` makes the codes of two requests differ. */
export type ResetCode = { connectionId: string; email: string; salt: string; until: string }

type CodeDeps = LinkDeps & { vault: Vault }

const PURPOSE = 'reset-code'
const LIFETIME_SECONDS = 600
const SALT_BYTES = 12
const HOUR = 3600

export const resetsByCode = ({ settings }: DatabaseConnection): boolean =>
  settings.options.attributes?.email?.verification_method === 'otp'

/** For any address, known or not. `login` is the digest of the login's handle. */
export function newResetCode(
  { id: connectionId }: DatabaseConnection,
  address: string,
  login: Uint8Array,
  { random, clock, vault }: Pick<CodeDeps, 'random' | 'clock' | 'vault'>,
): { draft: ResetCode; code: string } {
  const until = addSeconds(clock.now(), LIFETIME_SECONDS).toISOString()
  const draft = { connectionId, email: canonical(address), salt: random.token(SALT_BYTES), until }
  return { draft, code: codeOf(draft, login, vault) }
}

function codeOf({ connectionId, email, salt }: ResetCode, login: Uint8Array, vault: Vault): string {
  const mac = vault.mac(PURPOSE, JSON.stringify([Buffer.from(login).toString('base64url'), connectionId, email, salt]))
  return String(mac.readUInt32BE() % 1_000_000).padStart(6, '0')
}

export type ResetRedemption = { outcome: 'right'; ticket: string } | { outcome: 'wrong' | 'too_many' }

/** A right code gives a new link, which ends the mailed one. `drafts` are of one request, at several databases. */
export async function redeemResetCode(
  drafts: readonly ResetCode[],
  typed: string,
  login: Uint8Array,
  clientId: string,
  deps: CodeDeps,
): Promise<ResetRedemption> {
  const ofAddress = drafts.flatMap(({ connectionId, email }) => [
    { name: 'reset-code-hour', of: [connectionId, email], most: 15, seconds: HOUR },
    { name: 'reset-code-day', of: [connectionId, email], most: 100, seconds: 24 * HOUR },
  ])
  const ofLogin = { name: 'reset-code', of: [Buffer.from(login).toString('base64url')], most: 5, seconds: HOUR }
  if (!(await takeAllowance([ofLogin, ...ofAddress], deps))) return { outcome: 'too_many' }
  const given = Buffer.from(readCode(typed))
  const draft = drafts.find((each) => equalsConstantTime(given, Buffer.from(codeOf(each, login, deps.vault))))
  const until = new Date(draft?.until ?? 0)
  if (!draft || until <= deps.clock.now()) return { outcome: 'wrong' }
  const account = await deps.users.findAccount(draft.connectionId, draft.email)
  const email = account && mailableAddress(account)
  if (!email || !(await claimName(PURPOSE, draft.salt, until, deps))) return { outcome: 'wrong' }
  const { connectionId, providerUserId, user } = account
  const { resultUrl } = await deps.mailer.linkSettings({
    kind: RESET.mail,
    byCode: true,
    to: email,
    user,
    clientId,
    connectionId,
    locale: undefined,
  })
  const payload: LinkPayload = {
    connectionId,
    providerUserId,
    userId: user.id,
    email: canonical(email),
    clientId,
    ...(resultUrl === undefined ? {} : { resultUrl }),
  }
  const ticket = await issueTicket(RESET.ticket, payload, deps, { subject: linkSubject(payload) })
  return { outcome: 'right', ticket }
}
