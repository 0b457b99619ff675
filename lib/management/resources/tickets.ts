// Tickets: links to the pages that set a password and verify an address, for a manager to hand out. They are the links of our mails,
// with one difference: a link to set a password was not mailed, so it proves no address unless the manager says so.
import * as z from 'zod'
import type { ClientPort } from '../../data/clients/client'
import { DATABASE } from '../../data/connections/database-options'
import { issueTicket, type TicketPort } from '../../data/tickets/ticket'
import { canonical } from '../../data/users/user'
import { type LinkKind, type LinkPayload, linkSubject } from '../../identity/accounts/account-link'
import { RESET } from '../../identity/accounts/reset-password'
import { VERIFY } from '../../identity/accounts/verify-email'
import { webUrl } from '../../kernel/address'
import type { Clock } from '../../kernel/clock'
import type { Random } from '../../kernel/random'
import { inexistent, invalidBody } from '../operations/errors'
import { makerOf } from '../operations/maker'
import { type Actor, operationsWith } from '../operations/operation'
import type { ActedOn, RankDeps } from '../operations/rank'
import type { ConnectionFinder } from './enabled-connection'
import { type AccountFinder, databaseAccount, identityBody, type ManagedDatabaseAccount } from './user-account'

export type TicketOperationDeps = RankDeps & {
  baseUrl: string
  clock: Clock
  random: Random
  tickets: TicketPort
  clients: Pick<ClientPort, 'find'>
  managedConnections: ConnectionFinder
  accountFinder: AccountFinder
}

const operation = operationsWith<TicketOperationDeps>()

const LIFETIME_SECONDS = 432_000
const MAX_LIFETIME_SECONDS = 30 * 86_400

const id = z.string().min(1).max(300)
const common = {
  result_url: webUrl.max(2000).optional(),
  client_id: id.optional(),
  ttl_sec: z.number().int().min(0).max(MAX_LIFETIME_SECONDS).optional(),
  includeEmailInRedirect: z.boolean().optional(),
  identity: identityBody.optional(),
}

const verificationBody = z.strictObject({ ...common, user_id: id })
const passwordBody = z.strictObject({
  ...common,
  user_id: id.optional(),
  connection_id: id.optional(),
  email: z.string().min(1).max(320).optional(),
  mark_email_as_verified: z.boolean().optional(),
})

const shown = z.object({ ticket: z.string() })

type TicketBody = Pick<z.output<typeof passwordBody>, 'result_url' | 'client_id' | 'ttl_sec' | 'includeEmailInRedirect'>

export const tickets = {
  passwordChange: operation({
    name: 'tickets.password_change',
    console: true,
    method: 'POST',
    path: '/tickets/password-change',
    summary: 'Make a link that sets the password of a user',
    scopes: ['create:user_tickets'],
    secrets: { ticket: { scopes: ['create:user_tickets'], otherwise: 'masked' } },
    target: ({ body }) => targetOf(body),
    example: { user_id: '<user>' },
    body: passwordBody,
    status: 201,
    answer: shown,
    async handle({ body, actor, deps }) {
      const account = await namedAccount(body, deps)
      return answer(
        RESET,
        account,
        body,
        actor,
        { proves: body.mark_email_as_verified ?? false, byManager: true },
        deps,
      )
    },
  }),
  emailVerification: operation({
    name: 'tickets.email_verification',
    method: 'POST',
    path: '/tickets/email-verification',
    summary: 'Make a link that verifies the address of a user',
    scopes: ['create:user_tickets'],
    secrets: { ticket: { scopes: ['create:user_tickets'], otherwise: 'masked' } },
    target: ({ body }) => targetOf(body),
    example: { user_id: '<user>' },
    body: verificationBody,
    status: 201,
    answer: shown,
    async handle({ body, actor, deps }) {
      const account = await databaseAccount(body.user_id, body.identity, deps)
      return answer(VERIFY, account, body, actor, {}, deps)
    },
  }),
}

/** Whom the body names, in either way. */
const targetOf = ({ user_id, connection_id, email }: z.output<typeof passwordBody>): ActedOn => ({
  ...(user_id === undefined ? {} : { users: [user_id] }),
  ...(email === undefined ? {} : { accounts: [{ connectionId: connection_id ?? null, name: canonical(email) }] }),
})

/** By the user's id, or by connection and address. */
async function namedAccount(
  body: z.output<typeof passwordBody>,
  deps: TicketOperationDeps,
): Promise<ManagedDatabaseAccount> {
  const { user_id, connection_id, email, identity } = body
  if (user_id !== undefined) {
    if (connection_id !== undefined || email !== undefined)
      throw invalidBody('user_id cannot be combined with connection_id or email')
    return databaseAccount(user_id, identity, deps)
  }
  if (connection_id === undefined || email === undefined)
    throw invalidBody('Either user_id or connection_id and email are required')
  const connection = await deps.managedConnections.find(connection_id)
  if (!connection) throw inexistent('connection')
  if (connection.strategy !== DATABASE) throw invalidBody('The connection must be a database')
  const account = await deps.accountFinder.accountOf(connection_id, canonical(email))
  if (!account) throw inexistent('user')
  return account
}

async function answer(
  { ticket: kind, path }: LinkKind,
  account: ManagedDatabaseAccount,
  body: TicketBody,
  actor: Actor,
  more: Pick<LinkPayload, 'proves' | 'byManager'>,
  deps: TicketOperationDeps,
) {
  const { client_id, result_url, ttl_sec } = body
  if (client_id !== undefined && result_url !== undefined)
    throw invalidBody('result_url cannot be combined with client_id')
  if (client_id !== undefined && !(await deps.clients.find(client_id))) throw inexistent('client')
  const { connectionId, providerUserId, user } = account
  const email = canonical(account.email ?? '')
  const payload: LinkPayload = {
    connectionId,
    providerUserId,
    userId: user.id,
    email,
    clientId: client_id ?? null,
    ...more,
    ...(result_url === undefined ? {} : { resultUrl: resultUrl(result_url, body.includeEmailInRedirect, email) }),
  }
  const maker = makerOf(actor, 'create:user_tickets', deps)
  const options = { subject: linkSubject(payload), lifetimeSeconds: ttl_sec || LIFETIME_SECONDS, maker }
  const plain = await issueTicket(kind, payload, deps, options)
  return {
    body: { ticket: `${deps.baseUrl}${path}?ticket=${plain}` },
    after: { user_id: user.id, ttl_sec: options.lifetimeSeconds },
    id: user.id,
  }
}

function resultUrl(given: string, withEmail = false, email: string): string {
  const url = new URL(given)
  url.searchParams.set('success', 'true')
  url.searchParams.set('code', 'success')
  if (withEmail) url.searchParams.set('email', email)
  return url.href
}
