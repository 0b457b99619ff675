// The password of a database account. The session sets it as a mailed link does, so that policy, history and notification are those of
// the page (lib/identity/accounts/reset-password.ts). A new password ends every session and token of the person, that
// of the call too.
import * as z from 'zod'
import { isDatabase } from '../../../data/connections/connection'
import { authenticatesByScript } from '../../../data/connections/custom-database'
import { issueTicket, type TicketMaker, ticketKind } from '../../../data/tickets/ticket'
import type { OwnAccount } from '../../../data/users/account'
import { checkAddressProven } from '../../../data/users/first-proof'
import { passwordError } from '../../../data/users/new-password'
import { policyOf } from '../../../data/users/password-policy'
import type { LinkPayload } from '../../../identity/accounts/account-link'
import { openReset, resetPassword } from '../../../identity/accounts/reset-password'
import { reasonOfDenial } from '../../../identity/tenant-code/trigger'
import { accessDenied, DomainError, invalidRequest } from '../../../kernel/errors'
import { once } from '../../../kernel/lazy'
import { localeOf } from '../../../pages/respond'
import { invalidMember, readBody, sessionOver } from '../read-body'
import { accountMembers, identityOf, isNamed } from './accounts'
import type { MethodKind, MyAccountCall, PresentedMethod } from './kind'
import { presentPolicy } from './password-terms'
import { makerOf, SESSION_SECONDS } from './session'

const TYPE = 'password'

const SETTING = ticketKind<LinkPayload & TicketMaker>('my-account-password', SESSION_SECONDS)

/** The id in the address of an enrolment: the session names the account. */
const NEW = `${TYPE}|new`

const beginBody = once(() => z.strictObject({ type: z.literal(TYPE), ...accountMembers() }))

/** The policy of the connection judges the password. */
const verifyBody = once(() =>
  z.strictObject({ auth_session: z.string().min(1).max(100), new_password: z.string().min(1) }),
)

export const password: MethodKind = {
  usage: 'primary',
  begins: { [TYPE]: beginBody },
  verifies: verifyBody,
  owns: (id) => id.startsWith(`${TYPE}|`),
  available: async (call) => ((await settableOf(call)).length > 0 ? [TYPE] : []),
  list: passwordsOf,
  async begin(call, members) {
    const isMeant = await isNamed(readBody(beginBody(), members), call)
    const { user, runtime } = call
    const account = (await settableOf(call)).find(isMeant)
    const connection = (await runtime.connections.all()).find(({ id }) => id === account?.connectionId)
    if (!account || !isDatabase(connection)) throw invalidRequest('No account of the person can have a password')
    if (!account.hasPassword && !authenticatesByScript(connection)) await checkAddressProven(user, runtime)
    const { connectionId, providerUserId, email } = account
    const payload = { connectionId, providerUserId, email, ...makerOf(call), proves: false }
    const auth_session = await issueTicket(SETTING, payload, runtime, { subject: `${user.id} ${TYPE}` })
    const policy = presentPolicy(policyOf(connection.settings.options))
    return { id: NEW, body: { id: NEW, auth_session, policy } }
  },
  async verify(call, id, members) {
    const { auth_session, new_password } = readBody(verifyBody(), members)
    const { request, runtime } = call
    const step = { kind: SETTING, by: makerOf(call) }
    const open = await openReset(auth_session, runtime, step)
    if (id !== NEW || !open) throw sessionOver()
    const { connectionId, providerUserId } = open.payload
    const context = { ip: request.ip, locale: localeOf(request, runtime.settings) }
    const result = await resetPassword(auth_session, new_password, context, runtime, step)
    if (result.outcome === 'refused') throw invalidMember('new_password', passwordError(result.refusal).description)
    if (result.outcome === 'denied') throw accessDenied(result.denied.reason, { reason: reasonOfDenial(result.denied) })
    if (result.outcome !== 'done') throw sessionOver()
    return idOf({ connectionId, providerUserId })
  },
  async change(call, id) {
    if (!(await isOwn(call, id))) return false
    throw invalidMember('name', 'A password has no name')
  },
  async remove(call, id) {
    if (!(await isOwn(call, id))) return false
    throw new DomainError('conflict', 'A password can be replaced, not removed')
  },
}

async function passwordsOf({ user, runtime }: MyAccountCall): Promise<PresentedMethod[]> {
  const connections = await runtime.connections.all()
  const isThere = ({ connectionId }: OwnAccount): boolean =>
    connections.some((each) => each.id === connectionId && isDatabase(each) && authenticatesByScript(each))
  const accounts = await runtime.accounts.ofUser(user.id)
  return accounts.filter((each) => each.hasPassword || isThere(each)).map(presentPassword)
}

const isOwn = async (call: MyAccountCall, id: string): Promise<boolean> =>
  (await passwordsOf(call)).some((each) => each.id === id)

const idOf = ({ connectionId, providerUserId }: Pick<OwnAccount, 'connectionId' | 'providerUserId'>): string =>
  `${TYPE}|${Buffer.from(`${connectionId} ${providerUserId}`).toString('base64url')}`

function presentPassword(account: OwnAccount): PresentedMethod {
  const { providerUserId, passwordChangedAt, createdAt } = account
  return {
    id: idOf(account),
    type: TYPE,
    identity_user_id: identityOf(providerUserId),
    created_at: createdAt.toISOString(),
    ...(passwordChangedAt === null ? {} : { last_password_reset: passwordChangedAt.toISOString() }),
  }
}

type Settable = OwnAccount & { email: string }

/** A password is set for an address. */
const settableOf = async ({ user, runtime }: MyAccountCall): Promise<Settable[]> =>
  (await runtime.accounts.ofUser(user.id)).filter((each): each is Settable => each.email !== null)
