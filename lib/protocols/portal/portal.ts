// The account portal as a protocol of the login pipeline. The request is the portal's own page; the answer is that page, in the browser
// that is then signed in.
import { mfaAudience } from '../../data/apis/built-in'
import { PORTAL_CLIENT, PORTAL_PATH } from '../../data/clients/portal'
import type { TicketDeps } from '../../data/tickets/ticket'
import { DomainError } from '../../kernel/errors'
import { plainWants } from '../../login/begin/plain-wants'
import type { LoginProtocol, Origin, Wants } from '../../login/transaction'
import { type PasswordWish, passwordStep } from './password-step'

type PortalRequest = {
  /** A path of the portal, with its query. */
  to: string
  /** The login is for a new password. */
  password?: PasswordWish
}

/** The oldest authentication that may change how the user signs in (threat-model.md SE7). */
export const FRESH_SECONDS = 600

export const portalProtocol = ({ baseUrl, ...deps }: TicketDeps & { baseUrl: string }): LoginProtocol => ({
  async respond(request, outcome) {
    const { to, password } = request as PortalRequest
    const saved = `${baseUrl}${PORTAL_PATH}/password?notice=portal_saved`
    const step = password && (await passwordStep(password, outcome, saved, deps))
    return { kind: 'see-other', to: baseUrl + (step ?? to) }
  },
  refuse(request, { code, description, detail }) {
    throw new DomainError(code, description, {
      redirectable: false,
      ...(detail === undefined ? {} : { detail }),
      page: { code: 'access_denied', restartUrl: baseUrl + (request as PortalRequest).to },
    })
  },
  describe: () => ({ protocol: 'account-portal' }),
  restart: (request) => ({ url: baseUrl + (request as PortalRequest).to, replays: false }),
})

export function portalOrigin(to: string, password?: PasswordWish): Origin {
  const request: PortalRequest = password === undefined ? { to } : { to, password }
  return { protocol: 'portal', request }
}

/** `fresh`: the login may change factors, so it is recent, and of a user with factors it has proven one. */
export const portalWants = (fresh: boolean, baseUrl: string): Wants => ({
  ...plainWants({ clientId: PORTAL_CLIENT, scopes: [], audience: fresh ? mfaAudience(baseUrl) : null }),
  maxAge: fresh ? FRESH_SECONDS : null,
})
