// The organization that the request names exists and takes logins of this application.
import type { LoginStep } from './step'

export const organizationKnown: LoginStep = {
  name: 'organization-known',
  unmet: ({ organizationProblem }) => organizationProblem !== null,
  refusal: ({ organizationProblem }) => ({
    code: 'invalid_request',
    description: organizationProblem?.sentence ?? '',
    reason: organizationProblem?.reason ?? 'organization_unknown',
  }),
}
