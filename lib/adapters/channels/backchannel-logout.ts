// Back-channel logout (OIDC Back-Channel Logout 1.0, 2.5): posts a logout token to the client's registered URL, as registered at
// the time of sending.
// - Done: a 2xx, or no notice is due (the client was deleted, or does not subscribe to this cause).
// - Retried: no response, 408, 429, a 5xx. Every other status is final.

import { signJwt } from '../../crypto/keys/jwt'
import type { Keyring } from '../../crypto/keys/keyring'
import type { Trail } from '../../data/audit/trail'
import type { Client, ClientPort } from '../../data/clients/client'
import { wantsLogoutOf } from '../../data/clients/logout'
import type { LogoutNotice, LogoutSender } from '../../data/outbox/logout-notice'
import { refusedBy } from '../../data/outbox/message'
import type { Clock } from '../../kernel/clock'
import { logoutTokenClaims } from '../../tokens/logout-token'
import type { OutboundPolicy } from './outbound-guard'
import { postForm } from './post'

type TenantDeps = { issuer: string; keyring: Keyring; clients: ClientPort; trail: Trail }

export type LogoutSenderDeps = {
  tenant(id: string): Promise<TenantDeps | null>
  clock: Clock
  policy: OutboundPolicy
}

export const createLogoutSender =
  ({ tenant, clock, policy }: LogoutSenderDeps): LogoutSender =>
  async (notice) => {
    const of = await tenant(notice.tenantId)
    const client = of && (await of.clients.find(notice.clientId))
    const url = client && addressFor(client, notice)
    if (!of || !url) return
    const claims = logoutTokenClaims(notice, { issuer: of.issuer, now: clock.now() })
    const about = { client, user: { id: notice.sub, email: null } }
    try {
      await post(url, await signJwt(claims, 'logout+jwt', of.keyring, client.settings.jwt_configuration.alg), policy)
    } catch (error) {
      of.trail.record('backchannel_refused', {
        ...about,
        sentence: error instanceof Error ? error.message : String(error),
      })
      throw error
    }
    of.trail.record('backchannel_told', about)
  }

async function post(url: string, token: string, policy: OutboundPolicy): Promise<void> {
  const answer = await postForm(url, { logout_token: token }, policy)
  if (answer.status < 200 || answer.status >= 300) throw refusedBy(answer, isFinal(answer.status))
}

const addressFor = (client: Client, { cause }: LogoutNotice): string | undefined =>
  wantsLogoutOf(client, cause) ? client.settings.oidc_logout.backchannel_logout_urls[0] : undefined

const isFinal = (status: number): boolean => status !== 408 && status !== 429 && status < 500
