// The protocols that begin a login and respond to it.
import { createXmlReader } from '../../../crypto/saml/xml-reader'
import { sessionPolicy } from '../../../data/tenants/settings'
import { lazy } from '../../../kernel/lazy'
import { deviceProtocol } from '../../../protocols/device/device'
import { oidcProtocol } from '../../../protocols/oidc/response'
import { portalProtocol } from '../../../protocols/portal/portal'
import { resetProtocol } from '../../../protocols/reset/reset'
import { samlProtocol } from '../../../protocols/saml/response'
import { testProtocol } from '../../../protocols/test/protocol'
import { wsfedProtocol } from '../../../protocols/wsfed/response'
import type { Opening } from '../opening'
import type { Runtime } from '../runtime'

/** Loaded with the first test. */
const loadAnswers = lazy(() => import('../../../protocols/test/answer'))

type Site = Pick<
  Runtime,
  'apis' | 'baseUrl' | 'issuer' | 'entityId' | 'issuing' | 'assertionClaims' | 'profiles' | 'eventSubjects'
>

export function openProtocols(
  { apis, baseUrl, issuer, entityId, issuing, assertionClaims, ...shown }: Site,
  { tenant: { id, settings }, keyring, stores, shared: { clock, random, vault, xmlThreads, loginLog } }: Opening,
): Runtime['protocols'] {
  const sessionSeconds = sessionPolicy(settings).absoluteSeconds
  const assertions = {
    ...{ ...stores, ...shown, assertionClaims, entityId, baseUrl, keyring, clock, random, sessionSeconds },
  }
  const samlp = samlProtocol(assertions)
  const wsfed = wsfedProtocol(assertions)
  return {
    oidc: oidcProtocol({ ...stores, apis, issuer, baseUrl, clock, random, vault, issuing }),
    device: deviceProtocol({ ...stores, baseUrl, clock }),
    saml: samlp,
    reset: resetProtocol(),
    portal: portalProtocol({ tickets: stores.tickets, baseUrl, clock, random }),
    wsfed,
    test: testProtocol({
      ...{ baseUrl, clock, sessions: stores.sessions, tested: { samlp, wsfed } },
      async read(request, outcome, trail) {
        const { readTestAnswer } = await loadAnswers()
        return readTestAnswer(request, outcome, { ...assertions, readXml: createXmlReader(xmlThreads, id), trail })
      },
      storeLogins: () => loginLog.flush(),
    }),
  }
}
