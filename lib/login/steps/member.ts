// The user is a member of the organization, or becomes one with this login.
import { notAMember, ORGANIZATION_REFUSALS } from '../../data/organizations/organization'
import type { LoginStep } from './step'

export const member: LoginStep = {
  name: 'member',
  unmet: ({ membership }) => membership === 'none' || membership === 'uninvited',
  refusal: ({ user, organization, membership }) => ({
    code: 'access_denied',
    reason: membership === 'uninvited' ? 'invitation_of_another' : 'not_a_member',
    description:
      membership === 'uninvited'
        ? ORGANIZATION_REFUSALS.notInvited
        : user && organization
          ? notAMember(user, organization)
          : '',
  }),
}
