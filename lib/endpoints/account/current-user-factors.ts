// GET /api/v2/users/{id}/enrollments and DELETE /api/v2/users/{id}/multifactor/{provider} (the contract's "Management API token
// for single-page applications"): a user's own second factors, masked, and the removal of those of one provider.
// - Removal needs a login within the last hour that proved a factor, as at /mfa/authenticators (threat-model.md MF3, SE7).
// - A provider is the vendor's name for several kinds of factors; duo is not supported.
import { empty, json } from '../../http/message'
import { invalidRequest } from '../../kernel/errors'
import { listFactors } from '../../mfa/enrolled'
import { presentEnrollment, REMOVABLE_PROVIDERS } from '../../mfa/enrollment'
import { factorOf, isFallback } from '../../mfa/factors/index'
import { removeFactor } from '../../mfa/remove'
import { RECENTLY } from '../../oauth/bearer'
import { checkProven } from '../../oauth/mfa-caller'
import { defineCurrentUserEndpoint, ownUser } from './current-user-endpoint'

export const enrollments = defineCurrentUserEndpoint('api.users.enrollments', {
  async GET(request, runtime, count) {
    const { user } = await ownUser(['read:current_user'], request, runtime, count)
    const { all } = await listFactors(user, runtime)
    return json(all.filter((each) => !isFallback(each)).map(presentEnrollment))
  },
})

export const multifactor = defineCurrentUserEndpoint('api.users.multifactor', {
  async DELETE(request, runtime, count) {
    const { user, family } = await ownUser(['delete:current_user_metadata'], request, runtime, count, RECENTLY)
    const { provider = '' } = request.params
    if (!REMOVABLE_PROVIDERS.has(provider))
      throw invalidRequest('Unknown provider', { members: { errorCode: 'invalid_uri' } })
    const enrolments = await listFactors(user, runtime)
    checkProven(family, enrolments)
    for (const each of enrolments.all) {
      if (factorOf(each).names.removedBy === provider) await removeFactor(user.id, each.id, runtime)
    }
    return empty(204)
  },
})
