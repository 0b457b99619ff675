// What a login without a browser wants and has decided, in the words of the pipeline.
import { consentAudience } from '../consent/consent'
import type { DirectLogin } from './direct'
import type { Decisions, Wants } from './transaction'

type Asked = Pick<DirectLogin, 'client' | 'api' | 'scopes'>

export const decisionsOf = ({ client, api, scopes }: Asked): Decisions =>
  client.settings.is_first_party ? { consent: { audience: consentAudience(api), scopes } } : {}

export const wantsOf = ({ client, api, scopes }: Asked): Wants => ({
  clientId: client.clientId,
  redirectUri: '',
  scopes,
  audience: api?.identifier ?? null,
  prompt: [],
  maxAge: null,
  acrValues: [],
  connection: null,
  loginHint: null,
  subject: null,
  screenHint: null,
  uiLocales: null,
  organization: null,
})
