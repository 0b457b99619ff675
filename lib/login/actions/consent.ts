// The decision on the consent page: exactly the scopes that were shown, or none.
import { consentAudience } from '../../data/consent/consent'
import { toAgree } from '../steps/requirements'
import type { FormAction } from './action'

export const acceptConsent: FormAction = {
  name: 'accept',
  on: ['consent'],
  run: (state) => ({
    kind: 'progress',
    decisions: {
      ...state.decisions,
      consent: { audience: consentAudience(state.api), scopes: toAgree(state.wants) },
    },
  }),
}

export const denyConsent: FormAction = {
  name: 'deny',
  on: ['consent'],
  run: () => ({ kind: 'refused', description: 'User did not authorize the request', reason: 'person_refused_consent' }),
}
