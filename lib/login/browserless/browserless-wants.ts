// The `Wants` and decisions of a login without a browser.
import { isTransactional } from '../../data/apis/api'
import { consentAudience } from '../../data/consent/consent'
import { plainWants } from '../begin/plain-wants'
import type { Decisions, Wants } from '../transaction'
import type { BrowserlessLogin } from './browserless'

type Requested = Pick<BrowserlessLogin, 'client' | 'api' | 'scopes'> & { organizationId?: string | undefined }

/** What the person typed into a first-party client counts as consent, unless the API wants one for each login: that needs a page. */
export const decisionsOf = ({ client, api, scopes }: Requested): Decisions =>
  client.settings.is_first_party && !(api && isTransactional(api))
    ? { consent: { audience: consentAudience(api), scopes } }
    : {}

export const wantsOf = ({ client, api, scopes, organizationId }: Requested): Wants => ({
  ...plainWants({ clientId: client.clientId, scopes, audience: api?.identifier ?? null }),
  organization: organizationId ?? null,
})
