// The protocols that begin a login and respond to it.
import { sessionPolicy } from '../../../data/tenants/settings'
import { deviceProtocol } from '../../../protocols/device/device'
import { oidcProtocol } from '../../../protocols/oidc/response'
import { portalProtocol } from '../../../protocols/portal/portal'
import { resetProtocol } from '../../../protocols/reset/reset'
import { samlProtocol } from '../../../protocols/saml/response'
import { wsfedProtocol } from '../../../protocols/wsfed/response'
import type { Opening } from '../opening'
import type { Runtime } from '../runtime'

type Site = Pick<
  Runtime,
  'apis' | 'baseUrl' | 'issuer' | 'entityId' | 'issuing' | 'assertionClaims' | 'profiles' | 'eventSubjects'
>

export function openProtocols(
  { apis, baseUrl, issuer, entityId, issuing, assertionClaims, ...shown }: Site,
  { tenant: { settings }, keyring, stores, shared: { clock, random, vault } }: Opening,
): Runtime['protocols'] {
  const sessionSeconds = sessionPolicy(settings).absoluteSeconds
  return {
    oidc: oidcProtocol({ ...stores, apis, issuer, baseUrl, clock, random, vault, issuing }),
    device: deviceProtocol({ ...stores, baseUrl, clock }),
    saml: samlProtocol({
      ...stores,
      ...shown,
      assertionClaims,
      entityId,
      baseUrl,
      keyring,
      clock,
      random,
      sessionSeconds,
    }),
    reset: resetProtocol(),
    portal: portalProtocol({ tickets: stores.tickets, baseUrl, clock, random }),
    wsfed: wsfedProtocol({ ...stores, ...shown, assertionClaims, entityId, baseUrl, keyring, clock, random }),
  }
}
