// What the pages behind a mail's link share: the ticket that no longer works, and the way on to the application.
import { invalidRequest } from '../../kernel/errors'
import type { Runtime } from '../../runtime/runtime'

export function expiredLink({ settings }: Runtime): Error {
  const back = settings.tenant.default_redirection_uri
  return invalidRequest('The link is not valid any more', {
    redirectable: false,
    page: { code: 'link_expired', ...(back === undefined ? {} : { back }) },
  })
}

/**
 * Where a person can sign in at the application that the link began at, or at the tenant's own. Never at a third
 * party's: anybody may ask for somebody else's reset in its name, and a page of ours would lead there.
 */
export async function continueUrlOf(
  clientId: string | null,
  { clients, settings }: Runtime,
): Promise<{ continueUrl?: string }> {
  const client = clientId === null ? null : await clients.find(clientId)
  const own = client?.settings.is_first_party ? client.settings.initiate_login_uri : undefined
  const continueUrl = own ?? settings.tenant.default_redirection_uri
  return continueUrl === undefined ? {} : { continueUrl }
}
