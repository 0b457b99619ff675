// The wishes of a login that comes from no address of ours: for whom and what, and nothing about how.
import type { Wants } from '../transaction'

export const plainWants = (asked: Pick<Wants, 'clientId' | 'scopes' | 'audience'>): Wants => ({
  ...asked,
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
