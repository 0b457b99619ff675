// A copy of what is stored about the user.
import { json, withHeaders } from '../../http/message'
import { presentEnrollment } from '../../mfa/enrollment'
import { isKnown } from '../../mfa/factors/index'
import { presentProfile } from '../../users/profile'
import { definePage, type PortalCall, WINDOW } from './page'

export const data = definePage('data', {
  view: async () => ({}),
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
  },
})

/** Metadata of operators is theirs, and no secret is part of it. */
async function copyOf({ user, runtime, management }: PortalCall): Promise<Record<string, unknown>> {
  const now = runtime.clock.now()
  const [profile, factors, sessions, tokens, grants, organizations, activity] = await Promise.all([
    runtime.profiles.find(user.id),
    runtime.authenticators.list(user.id),
    management.userLogins.sessions(user.id, WINDOW, now),
    management.userLogins.refreshTokens({ userId: user.id, clientId: null }, WINDOW, now),
    management.userConsents.grants({ user_id: user.id }, { offset: 0, limit: WINDOW.limit }),
    management.organizations.ofUser(user.id, { offset: 0, limit: WINDOW.limit }),
    management.logs.page({ userId: user.id }, { offset: 0, limit: 1000, oldestFirst: false }),
  ])
  return {
    made_at: now.toISOString(),
    profile: profile && presentProfile(profile),
    second_factors: factors.filter(isKnown).map(presentEnrollment),
    sessions: sessions.rows.map(({ authTime, lastSeenAt, expiresAt, participants }) => ({
      signed_in_at: authTime.toISOString(),
      last_seen_at: lastSeenAt.toISOString(),
      expires_at: expiresAt.toISOString(),
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
