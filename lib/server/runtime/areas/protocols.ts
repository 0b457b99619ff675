// The protocols that begin a login and respond to it.
import { createXmlReader } from '../../../crypto/saml/xml-reader'
import { sessionPolicy } from '../../../data/tenants/settings'
import { deviceProtocol } from '../../../protocols/device/device'
import { oidcProtocol } from '../../../protocols/oidc/response'
import { portalProtocol } from '../../../protocols/portal/portal'
import { resetProtocol } from '../../../protocols/reset/reset'
import { samlProtocol } from '../../../protocols/saml/response'
import { testProtocol } from '../../../protocols/test/answer'
import { wsfedProtocol } from '../../../protocols/wsfed/response'
import type { Opening } from '../opening'
import type { Runtime } from '../runtime'

type Site = Pick<
  Runtime,
  'apis' | 'baseUrl' | 'issuer' | 'entityId' | 'issuing' | 'assertionClaims' | 'profiles' | 'eventSubjects'
>

export function openProtocols(
  { apis, baseUrl, issuer, entityId, issuing, assertionClaims, ...shown }: Site,
  { tenant: { id, settings }, keyring, stores, shared: { clock, random, vault, xmlThreads, loginLog } }: Opening,
): Runtime['protocols'] {
  const sessionSeconds = sessionPolicy(settings).absoluteSeconds
  const wsfed = { ...stores, ...shown, assertionClaims, entityId, baseUrl, keyring, clock, random }
  const saml = { ...wsfed, sessionSeconds }
  return {
    oidc: oidcProtocol({ ...stores, apis, issuer, baseUrl, clock, random, vault, issuing }),
    device: deviceProtocol({ ...stores, baseUrl, clock }),
    saml: samlProtocol(saml),
    reset: resetProtocol(),
    portal: portalProtocol({ tickets: stores.tickets, baseUrl, clock, random }),
    wsfed: wsfedProtocol(wsfed),
    test: testProtocol({
      ...saml,
      readXml: createXmlReader(xmlThreads, id),
      storeLogins: () => loginLog.flush(),
    }),
  }
}
