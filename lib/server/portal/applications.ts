// The applications that the user let in: by a consent, or by a refresh token.
import { mapBounded } from '../../kernel/map-bounded.mjs'
import { definePage, type PortalCall, WINDOW } from './page'

export const applications = definePage('applications', {
  async view(call) {
    const { runtime } = call
    const entries = [...(await accessOf(call))]
    const shown = await mapBounded(entries, async ([clientId, { scopes, since }]) => {
      const client = await runtime.clients.find(clientId)
      return {
        clientId,
        name: client?.name ?? clientId,
        scopes: [...scopes],
        ...(since === null ? {} : { since: since.toISOString() }),
      }
    })
    return { applications: shown }
  },
  actions: {
    revoke: {
      async run(call) {
        const { user, input, runtime, management } = call
        const clientId = input.client ?? ''
        if (!(await accessOf(call)).has(clientId)) return { notice: 'portal_gone' }
        await management.userConsents.removeGrants({ userId: user.id, clientId }, runtime.clock.now())
        runtime.trail.record('tokens_revoked', { user, sentence: `by its owner: ${clientId}` })
        return { notice: 'portal_removed' }
      },
    },
  },
})

type Access = { scopes: Set<string>; since: Date | null }

async function accessOf({ user, runtime, management }: PortalCall): Promise<Map<string, Access>> {
  const [grants, tokens] = await Promise.all([
    management.userConsents.grants({ user_id: user.id }, { offset: 0, limit: WINDOW.limit }),
    management.userLogins.refreshTokens({ userId: user.id, clientId: null }, WINDOW, runtime.clock.now()),
  ])
  const found = new Map<string, Access>()
  const at = (clientId: string): Access => {
    const access = found.get(clientId) ?? { scopes: new Set(), since: null }
    found.set(clientId, access)
    return access
  }
  for (const { clientId, scopes } of grants.rows) for (const scope of scopes) at(clientId).scopes.add(scope)
  for (const { clientId, rotatedAt, createdAt } of tokens.rows) {
    const access = at(clientId)
    const used = rotatedAt ?? createdAt
    if (access.since === null || used > access.since) access.since = used
  }
  return found
}
