// The invitation of the request is open, or a member has accepted it, perhaps with a click before this one.
import { ORGANIZATION_REFUSALS } from '../../data/organizations/organization'
import type { LoginStep } from './step'

export const invitationValid: LoginStep = {
  name: 'invitation-valid',
  unmet: ({ wants, invitation, membership }) =>
    wants.invitation !== undefined && invitation === null && membership !== 'member',
  refusal: {
    code: 'invalid_request',
    description: ORGANIZATION_REFUSALS.invitationGone,
    reason: 'invitation_over',
  },
}
