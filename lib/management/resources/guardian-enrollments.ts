// Enrollments of second factors by their own ids, and tickets: links with which a person adds a factor outside a login.
import * as z from 'zod'
import { isMailAddress } from '../../data/outbox/message'
import { tenantSettings } from '../../data/tenants/settings'
import { makeTicket, type TicketPort } from '../../data/tickets/ticket'
import type { AccountPort } from '../../data/users/account'
import type { User } from '../../data/users/user'
import { type AccountMailer, mailableAddress } from '../../identity/accounts/account-mail'
import { type AuthenticatorPort, maskEmail } from '../../identity/mfa/authenticator'
import { presentEnrollment } from '../../identity/mfa/enrollment'
import { ENROLLMENT, ENROLLMENT_PATH, factorsOf } from '../../identity/mfa/enrollment-ticket'
import { FACTORS } from '../../identity/mfa/factors/index'
import { isEnabled } from '../../identity/mfa/policy'
import type { Clock } from '../../kernel/clock'
import type { Random } from '../../kernel/random'
import { inexistent, invalidBody } from '../operations/errors'
import { makerOf } from '../operations/maker'
import { operationsWith, type Secret } from '../operations/operation'
import { inPath, type RankDeps } from '../operations/rank'
import type { TenantRecordStore } from '../operations/singleton'
import { removeWhere, shownEnrollment, type UserFactorDeps } from './user-factors'
import type { ManagedUserStore } from './user-list'

export type GuardianEnrollmentDeps = UserFactorDeps &
  RankDeps & {
    authenticators: Pick<AuthenticatorPort, 'list'>
    managedUsers: Pick<ManagedUserStore, 'find'>
    accounts: Pick<AccountPort, 'requestLink'>
    tickets: TicketPort
    mailer: Pick<AccountMailer, 'compose' | 'linkSettings' | 'wake'>
    tenantRecord: Pick<TenantRecordStore, 'read'>
    baseUrl: string
    clock: Clock
    random: Random
  }

const TICKET: Secret = { scopes: ['create:guardian_enrollment_tickets'], otherwise: 'masked' }

const operation = operationsWith<GuardianEnrollmentDeps>()

/** The vendor's name of a factor in a ticket → its record. */
const RECORDS = new Map(FACTORS.filter((each) => !each.isFallback).map(({ names }) => [names.type, names.record]))

const ticketBody = z.strictObject({
  user_id: z.string().min(1).max(300),
  email: z.string().max(320).refine(isMailAddress, 'must be one e-mail address').optional(),
  send_mail: z.boolean().optional(),
  email_locale: z.string().min(2).max(35).optional(),
  factor: z.enum([...RECORDS.keys()]).optional(),
  allow_multiple_enrollments: z.boolean().optional(),
})

async function found(id: string | undefined, deps: GuardianEnrollmentDeps) {
  const userId = id === undefined ? null : await deps.userFactors.owner(id)
  const one = userId === null ? undefined : (await deps.authenticators.list(userId)).find((each) => each.id === id)
  return one ? { userId: one.userId, shown: presentEnrollment(one) } : null
}

export const guardianEnrollments = {
  enrollmentsCreateTicket: operation({
    name: 'guardian.enrollments.create_ticket',
    example: { user_id: '<user>' },
    method: 'POST',
    path: '/guardian/enrollments/ticket',
    summary: 'Make a link with which a user adds a second factor',
    scopes: ['create:guardian_enrollment_tickets'],
    target: ({ body }) => ({ users: [body.user_id] }),
    secrets: { ticket_id: TICKET, ticket_url: TICKET },
    body: ticketBody,
    status: 201,
    answer: z.object({ ticket_id: z.string(), ticket_url: z.string() }),
    async handle({ body, actor, deps }) {
      const { clock, random, tickets } = deps
      // As they are stored: a caller may have enabled the factor a moment ago.
      const settings = tenantSettings.parse((await deps.tenantRecord.read()).settings)
      const user = (await deps.managedUsers.find(body.user_id))?.user
      if (!user) throw inexistent('user')
      const record = body.factor === undefined ? null : (RECORDS.get(body.factor) ?? null)
      if (!factorsOf(record).some((name) => isEnabled(name, settings)))
        throw invalidBody({ path: 'factor', message: 'No such factor is enabled' })
      const payload = { userId: user.id, record, multiple: body.allow_multiple_enrollments ?? false }
      const mail = body.send_mail ? aboutMail(user, body) : null
      const { lifetimeSeconds } = mail ? await deps.mailer.linkSettings(mail) : {}
      const maker = makerOf(actor, 'create:guardian_enrollment_tickets', deps)
      const options = { subject: user.id, maker, ...(lifetimeSeconds && { lifetimeSeconds }) }
      const { plain, ticket } = makeTicket(ENROLLMENT, payload, { clock, random }, options)
      const path = `${ENROLLMENT_PATH}?ticket=${plain}`
      if (mail) {
        const row = await deps.mailer.compose({ ...mail, path, ip: '' })
        await deps.accounts.requestLink({ ticket, mail: row, alive: true })
        deps.mailer.wake()
      } else await tickets.insert(ticket)
      const after = { user_id: user.id, factor: body.factor ?? null, ...(mail && { sent_to: maskEmail(mail.to) }) }
      return { body: { ticket_id: plain, ticket_url: `${deps.baseUrl}${path}` }, after, id: user.id }
    },
  }),
  enrollmentsRead: operation({
    name: 'guardian.enrollments.read',
    method: 'GET',
    path: '/guardian/enrollments/:id',
    summary: 'Read an enrollment of a second factor',
    scopes: ['read:guardian_enrollments'],
    status: 200,
    answer: shownEnrollment,
    async handle({ params, deps }) {
      const one = await found(params.id, deps)
      if (!one) throw inexistent('enrollment')
      return { body: one.shown }
    },
  }),
  enrollmentsDelete: operation({
    name: 'guardian.enrollments.delete',
    method: 'DELETE',
    path: '/guardian/enrollments/:id',
    summary: 'Remove an enrollment of a second factor',
    scopes: ['delete:guardian_enrollments'],
    target: inPath('factors'),
    status: 204,
    async handle({ params, deps }) {
      const one = await found(params.id, deps)
      if (!one) return {}
      const user = (await deps.managedUsers.find(one.userId))?.user
      const removed = user ? await removeWhere(user, ({ id }) => id === params.id, deps) : []
      return removed.length === 0 ? {} : { before: { user_id: one.userId, ...one.shown }, after: {} }
    },
  }),
}

function aboutMail(user: User, { email, email_locale: locale }: z.output<typeof ticketBody>) {
  const to = email ?? mailableAddress(user)
  if (to === null) throw invalidBody('The user has no e-mail address')
  return { kind: 'enroll_factor' as const, to, user, clientId: null, connectionId: '', locale }
}
