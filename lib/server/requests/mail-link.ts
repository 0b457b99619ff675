// Shared by the pages of mailed links: the link back to the client.
import type { Runtime } from '../runtime/runtime'

/**
 * The URL that a manager gave the link, to sign in at the client of the link, or at the tenant's default. Never a third-party client: anyone may request a
 * reset for another user in its name, and our page would then lead there.
 */
export async function continueUrlOf(
  { clientId, resultUrl }: { clientId: string | null; resultUrl?: string | undefined },
  { clients, settings }: Runtime,
): Promise<{ continueUrl?: string }> {
  if (resultUrl !== undefined) return { continueUrl: resultUrl }
  const client = clientId === null ? null : await clients.find(clientId)
  const own = client?.settings.is_first_party ? client.settings.initiate_login_uri : undefined
  const continueUrl = own ?? settings.tenant.default_redirection_uri
  return continueUrl === undefined ? {} : { continueUrl }
}
