// The `Wants` of a login that does not start at one of our authorization endpoints: client, scopes and API, without any
// preference.
import type { Wants } from '../transaction'

export const plainWants = (requested: Pick<Wants, 'clientId' | 'scopes' | 'audience'>): Wants => ({
  ...requested,
  redirectUri: '',
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
