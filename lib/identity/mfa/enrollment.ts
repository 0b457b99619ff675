// The vendor's enrollment object, and the providers whose factors its API removes. Duo is not supported: it has no factors.
import type { JsonObject } from '../../kernel/json'
import { type Authenticator, maskEmail, maskPhone } from './authenticator'
import { FACTORS, factorOf, maskedName } from './factors/index'

export const REMOVABLE_PROVIDERS: ReadonlySet<string> = new Set([
  ...FACTORS.flatMap(({ names }) => names.removedBy ?? []),
  'duo',
])

export function presentEnrollment(authenticator: Authenticator): JsonObject {
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
