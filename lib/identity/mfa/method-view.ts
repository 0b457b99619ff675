// An authenticator as an authentication method, for its owner and for managers. It contains no seed and no code; the address is whole,
// because both may see the record that holds it.
import type { Authenticator } from './authenticator'
import { factorOf } from './factors/index'

export type MethodView = {
  id: string
  type: string
  confirmed: boolean
  name?: string
  phone_number?: string
  preferred_authentication_method?: string
  email?: string
  created_at: string
}

export function viewOfMethod(authenticator: Authenticator): MethodView {
  const { id, active, name, phoneNumber, email, createdAt } = authenticator
  const factor = factorOf(authenticator)
  return {
    id,
    type: factor.names.method,
    confirmed: active,
    ...(name === null ? {} : { name }),
    ...(phoneNumber === null ? {} : { phone_number: phoneNumber, preferred_authentication_method: factor.id }),
    ...(email === null ? {} : { email }),
    created_at: createdAt.toISOString(),
  }
}
