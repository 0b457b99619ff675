// The account portal as a protocol of the login pipeline. The request is the portal's own page; the answer is that page, in the browser
// that is then signed in.
import { mfaAudience } from '../../apis/built-in'
import { PORTAL_CLIENT } from '../../clients/portal'
import { DomainError } from '../../kernel/errors'
import { plainWants } from '../../login/begin/plain-wants'
import type { LoginProtocol, Origin, Wants } from '../../login/transaction'

export const PORTAL_PATH = '/account'

/** A path of the portal, with its query. */
type PortalRequest = { to: string }

/** The oldest authentication that may change how the user signs in (threat-model.md SE7). */
export const FRESH_SECONDS = 600

export const portalProtocol = ({ baseUrl }: { baseUrl: string }): LoginProtocol => ({
  respond: async (request) => ({ kind: 'see-other', to: baseUrl + (request as PortalRequest).to }),
  refuse(request, { code, description, detail }) {
    throw new DomainError(code, description, {
      redirectable: false,
      ...(detail === undefined ? {} : { detail }),
      page: { code: 'access_denied', restartUrl: baseUrl + (request as PortalRequest).to },
    })
  },
  describe: () => ({ protocol: 'account-portal' }),
  restartUrl: (request) => baseUrl + (request as PortalRequest).to,
})

export function portalOrigin(to: string): Origin {
  const request: PortalRequest = { to }
  return { protocol: 'portal', request }
}

/** `fresh`: the login may change factors, so it is recent, and of a user with factors it has proven one. */
export const portalWants = (fresh: boolean, baseUrl: string): Wants => ({
  ...plainWants({ clientId: PORTAL_CLIENT, scopes: [], audience: fresh ? mfaAudience(baseUrl) : null }),
  maxAge: fresh ? FRESH_SECONDS : null,
})
