// GET /api/v2/users/{id}/enrollments and DELETE /api/v2/users/{id}/multifactor/{provider} (the contract's "Management API token
// for single-page applications"): a user's own second factors, masked, and the removal of those of one provider.
// - Removal needs a login within the last hour that proved a factor, as at /mfa/authenticators (threat-model.md MF3, SE7).
// - A provider is the vendor's name for several kinds of factors; duo is not supported.
import { empty, json } from '../../http/message'
import { invalidRequest } from '../../kernel/errors'
import { type Authenticator, maskEmail, maskPhone } from '../../mfa/authenticator'
import { listFactors } from '../../mfa/enrolled'
import { FACTORS, factorOf, isFallback, maskedName } from '../../mfa/factors/index'
import { removeFactor } from '../../mfa/remove'
import { RECENTLY } from '../../oauth/bearer'
import { checkProven } from '../../oauth/mfa-caller'
import { defineCurrentUserEndpoint, ownUser } from './current-user-endpoint'

const PROVIDERS = new Set([...FACTORS.flatMap(({ names }) => names.removedBy ?? []), 'duo'])

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
    if (!PROVIDERS.has(provider)) throw invalidRequest('Unknown provider', { members: { errorCode: 'invalid_uri' } })
    const enrolments = await listFactors(user, runtime)
    checkProven(family, enrolments)
    for (const each of enrolments.all) {
      if (factorOf(each).names.removedBy === provider) await removeFactor(user.id, each.id, runtime)
    }
    return empty(204)
  },
})

/** The vendor's enrollment object. */
function presentEnrollment(authenticator: Authenticator): Record<string, unknown> {
  const { id, active, phoneNumber, email, createdAt } = authenticator
  const { type, method } = factorOf(authenticator).names.enrollment
  const name = maskedName(authenticator)
  return {
    id,
    status: active ? 'confirmed' : 'pending',
    type,
    auth_method: method,
    ...(name === null ? {} : { name }),
    ...(phoneNumber === null ? {} : { phone_number: maskPhone(phoneNumber) }),
    ...(email === null ? {} : { identifier: maskEmail(email) }),
    enrolled_at: createdAt.toISOString(),
  }
}
