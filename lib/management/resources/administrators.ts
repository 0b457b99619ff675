// The people who may enter the console (ours; docs/console.md).
import * as z from 'zod'
import { isMailAddress } from '../../data/outbox/message'
import { issueTicket, type TicketDeps } from '../../data/tickets/ticket'
import { addSeconds } from '../../kernel/clock'
import {
  type Administrator,
  type AdministratorPort,
  INVITATION,
  invitationUrl,
} from '../operations/console-administrators'
import { consoleRole, scopesOfRole } from '../operations/console-roles'
import { inexistent } from '../operations/errors'
import { makerOf } from '../operations/maker'
import { operationsWith } from '../operations/operation'
import { inPath, type RankDeps } from '../operations/rank'

export type AdministratorDeps = TicketDeps & RankDeps & { administrators: AdministratorPort; baseUrl: string }

const operation = operationsWith<AdministratorDeps>()

const shown = z
  .object({
    user_id: z.string(),
    role: consoleRole,
    email: z.string().optional(),
    name: z.string().optional(),
    scopes: z.array(z.string()),
    created_at: z.string(),
  })
  .meta({ id: 'Administrator' })

const present = ({ userId, role, email, name, since }: Administrator) => ({
  user_id: userId,
  role,
  ...(email === null ? {} : { email }),
  ...(name === null ? {} : { name }),
  scopes: [...scopesOfRole(role)],
  created_at: since.toISOString(),
})

const ofUser = async (id: string | undefined, { administrators }: AdministratorDeps): Promise<Administrator> => {
  const found = (await administrators.list()).find(({ userId }) => userId === id)
  if (!found) throw inexistent('administrator')
  return found
}

export const administrators = {
  list: operation({
    name: 'administrators.list',
    method: 'GET',
    path: '/administrators',
    summary: 'List who may enter the console',
    scopes: ['read:administrators'],
    status: 200,
    answer: z.array(shown),
    handle: async ({ deps }) => ({ body: (await deps.administrators.list()).map(present) }),
  }),
  invite: operation({
    name: 'administrators.invite',
    console: true,
    danger: true,
    method: 'POST',
    path: '/administrators/invitations',
    summary: 'Make a link that makes an administrator',
    scopes: ['create:administrators'],
    secrets: { invitation_url: { scopes: ['create:administrators'], otherwise: 'masked' } },
    target: ({ body }) => ({ administrator: body.role }),
    example: { role: 'auditor', email: 'kim@example.com' },
    body: z.strictObject({
      role: consoleRole,
      email: z
        .string()
        .max(320)
        .refine(isMailAddress, 'must be an e-mail address')
        .nullish()
        .meta({ title: 'E-mail address' }),
    }),
    status: 201,
    answer: z.object({ invitation_url: z.string(), expires_at: z.string() }),
    async handle({ body, actor, deps }) {
      const invitation = { role: body.role, ...(body.email ? { email: body.email } : {}) }
      const ticket = await issueTicket(INVITATION, invitation, deps, {
        maker: makerOf(actor, 'create:administrators', deps),
      })
      const expiresAt = addSeconds(deps.clock.now(), INVITATION.lifetimeSeconds).toISOString()
      return {
        body: { invitation_url: invitationUrl(deps.baseUrl, ticket), expires_at: expiresAt },
        after: invitation,
        id: body.email ?? body.role,
      }
    },
  }),
  update: operation({
    name: 'administrators.update',
    console: true,
    danger: true,
    method: 'PATCH',
    path: '/administrators/:id',
    summary: 'Change the role of an administrator',
    scopes: ['update:administrators'],
    target: ({ params, body }) => ({ users: [params.id ?? ''], administrator: body.role }),
    body: z.strictObject({ role: consoleRole }),
    example: { role: 'auditor' },
    examplePath: { id: '<user>' },
    status: 200,
    answer: shown,
    async handle({ params, body, deps }) {
      const before = await ofUser(params.id, deps)
      const done = await deps.administrators.change(before.userId, body.role)
      if (done === null) throw inexistent('administrator')
      const after = present({ ...before, role: body.role })
      return { body: after, before: { role: before.role }, after: { role: body.role } }
    },
  }),
  delete: operation({
    name: 'administrators.delete',
    console: true,
    danger: true,
    method: 'DELETE',
    path: '/administrators/:id',
    summary: 'Take the console away from an administrator',
    scopes: ['delete:administrators'],
    target: inPath('users'),
    status: 204,
    async handle({ params, deps }) {
      const before = (await deps.administrators.list()).find(({ userId }) => userId === params.id)
      if (!before) return {}
      await deps.administrators.change(before.userId, null)
      return { before: { role: before.role }, after: {} }
    },
  }),
}
