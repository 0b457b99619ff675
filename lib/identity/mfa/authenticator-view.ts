// The view of an authenticator in the MFA API. It never contains a seed, a code or a full address (threat-model.md MF3).
import type { Authenticator } from './authenticator'
import { factorOf, maskedName } from './factors/index'

export type AuthenticatorView = {
  id: string
  authenticator_type: string
  active: boolean
  oob_channel?: string
  name?: string
  type: string
}

export function viewOfAuthenticator(authenticator: Authenticator): AuthenticatorView {
  const { id, type, channel, active } = authenticator
  const name = maskedName(authenticator)
  return {
    id,
    authenticator_type: type,
    active,
    ...(channel === null ? {} : { oob_channel: channel }),
    ...(name === null ? {} : { name }),
    type: factorOf(authenticator).names.type,
  }
}
