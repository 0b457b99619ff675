// A copy of what is stored about the user, and the deletion of the account.

import { PORTAL_PATH } from '../../data/clients/portal'
import { presentProfile } from '../../data/users/profile'
import { json, withHeaders } from '../../http/message'
import { composeDeletionMail } from '../../identity/accounts/deletion-mail'
import { listFactors } from '../../identity/mfa/enrolled'
import { presentEnrollment } from '../../identity/mfa/enrollment'
import { PICTURE_TYPES } from '../../identity/pictures/picture-file'
import { addSeconds } from '../../kernel/clock'
import { localeOf } from '../../pages/respond'
import type { Runtime } from '../runtime/runtime'
import { definePage, type PortalCall, WINDOW } from './page'

export const data = definePage('data', {
  async view({ user, input, runtime }) {
    const { account_deletion_days: days, account_deletion_approval: needsApproval } = runtime.settings.tenant
    const planned = await runtime.accountDeletions.find(user.id)
    return {
      deletion: deletionIn(days, needsApproval, runtime),
      asks: input.ask === 'delete',
      ...(planned?.status === 'scheduled' ? { deletesAt: planned.dueAt.toISOString() } : {}),
      ...(planned?.status === 'requested' ? { requestedAt: planned.requestedAt.toISOString() } : {}),
    }
  },
  actions: {
    download: {
      fresh: true,
      async run(call) {
        call.runtime.trail.record('changed', { user: call.user, change: 'data downloaded' })
        const copy = withHeaders(json(await copyOf(call)), [
          'content-disposition',
          'attachment; filename="account.json"',
        ])
        return { response: copy }
      },
    },
    delete: {
      fresh: true,
      async run(call) {
        const { user, input, request, runtime } = call
        const { account_deletion_days: days, account_deletion_approval: needsApproval } = runtime.settings.tenant
        if (days === false) return { notice: 'portal_gone' }
        if (input.sure !== 'yes') return { to: `${PORTAL_PATH}/data?ask=delete` }
        const now = runtime.clock.now()
        const from = { ip: request.ip, locale: localeOf(request, runtime.settings) }
        const kind = needsApproval ? 'deletion_requested' : 'deletion_scheduled'
        const mail = await composeDeletionMail(kind, user, from, runtime)
        const done = needsApproval
          ? await runtime.accountDeletions.request(user.id, now, mail, user.recoveryEpoch)
          : await runtime.accountDeletions.schedule(user.id, addSeconds(now, days * 86_400), mail, user.recoveryEpoch)
        if (!done) return { notice: 'portal_gone' }
        runtime.wakeDispatcher()
        runtime.trail.record('deletion_requested', { user })
        return { notice: 'portal_saved' }
      },
    },
    keep: {
      async run({ user, runtime }) {
        if (!(await runtime.accountDeletions.keep(user.id))) return { notice: 'portal_gone' }
        runtime.trail.record('deletion_cancelled', { user })
        return { notice: 'portal_saved' }
      },
    },
  },
})

/** What a request of now would lead to; null where users cannot delete their accounts. */
function deletionIn(days: number | false, needsApproval: boolean, { clock }: Runtime) {
  if (days === false) return null
  return needsApproval ? { daysAfterApproval: days } : { at: addSeconds(clock.now(), days * 86_400).toISOString() }
}

/** Metadata of operators is theirs, and no secret is part of it. */
async function copyOf({ user, runtime, management }: PortalCall): Promise<Record<string, unknown>> {
  const now = runtime.clock.now()
  const [profile, picture, factors, sessions, tokens, grants, organizations, activity] = await Promise.all([
    runtime.profiles.find(user.id),
    runtime.userPictures.ofUser(user.id),
    listFactors(user, runtime),
    management.userLogins.sessions(user.id, WINDOW, now),
    management.userLogins.refreshTokens({ userId: user.id, clientId: null }, WINDOW, now),
    management.userConsents.grants({ user_id: user.id }, { offset: 0, limit: WINDOW.limit }),
    management.organizations.ofUser(user.id, { offset: 0, limit: WINDOW.limit }),
    management.logs.page({ userId: user.id }, { offset: 0, limit: 1000, oldestFirst: false }),
  ])
  return {
    made_at: now.toISOString(),
    profile: profile && presentProfile(profile),
    picture: picture && {
      type: PICTURE_TYPES[picture.extension],
      base64: Buffer.from(picture.bytes).toString('base64'),
    },
    second_factors: factors.all.map(presentEnrollment),
    sessions: sessions.rows.map(({ authTime, lastSeenAt, expiresAt, initialIp, initialUserAgent, participants }) => ({
      signed_in_at: authTime.toISOString(),
      last_seen_at: lastSeenAt.toISOString(),
      expires_at: expiresAt.toISOString(),
      initial_ip: initialIp,
      initial_user_agent: initialUserAgent,
      clients: participants,
    })),
    refresh_tokens: tokens.rows.map(({ clientId, audience, scopes, createdAt }) => ({
      client_id: clientId,
      audience,
      scopes,
      created_at: createdAt.toISOString(),
    })),
    consents: grants.rows.map(({ clientId, audience, scopes }) => ({ client_id: clientId, audience, scopes })),
    organizations: (organizations?.rows ?? []).map(({ id, name }) => ({ id, name })),
    activity,
  }
}
