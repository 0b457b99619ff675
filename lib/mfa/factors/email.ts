// Codes by e-mail: to an enrolled address, or to the user's verified one, which needs no enrolment.

import { invalidRequest } from '../../kernel/errors'
import { isMailAddress } from '../../outbox/message'
import { canonical } from '../../users/user'
import { sendCode } from './coded'
import type { Factor } from './factor'

export const email: Factor = {
  name: 'email',
  type: 'oob',
  channel: 'email',
  idPrefix: 'email',
  kind: 'email',
  enroll(input, { user }) {
    const address = canonical(input.email ?? user.email ?? '')
    if (!isMailAddress(address)) throw invalidRequest('Invalid e-mail address')
    return { holds: { email: address } }
  },
  challenge: (authenticator, subject, deps) =>
    sendCode({ channel: 'email', to: authenticator.email ?? '' }, subject, deps),
}
