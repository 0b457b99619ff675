// Codes by e-mail: to an enrolled address, or to the user's verified one, which needs no enrolment.

import { isMailAddress } from '../../../data/outbox/message'
import { canonical } from '../../../data/users/user'
import { malformedParameter } from '../../../kernel/errors'
import { digest } from '../../../kernel/secret'
import { maskEmail } from '../authenticator'
import { proveByCode, sendCode } from './coded'
import { ANSWERED, type Factor } from './factor'

export const email: Factor<'email'> = {
  id: 'email',
  names: {
    authenticatorType: 'oob',
    channel: 'email',
    idPrefix: 'email',
    type: 'email',
    method: 'email',
    record: 'email',
    enrollment: { type: 'email', method: 'email' },
    removedBy: 'guardian',
    enabledBy: null,
  },
  rank: 7,
  isFallback: false,
  enroll(input, { user }) {
    const address = canonical(input.email ?? user.email ?? '')
    if (!isMailAddress(address)) throw malformedParameter('email', 'Invalid e-mail address')
    return { holds: { email: address } }
  },
  /** A verified address is a factor without enrolment; its id is constant for one address. */
  implied(user) {
    if (user.email === null || !user.emailVerified) return null
    const id = `email|dev_${digest(`${user.id} ${user.email}`).toString('hex').slice(0, 16)}`
    return {
      id,
      userId: user.id,
      type: 'oob',
      channel: 'email',
      name: null,
      active: true,
      sealed: null,
      phoneNumber: null,
      email: user.email,
      secretDigest: null,
      vouched: false,
      createdAt: user.updatedAt,
    }
  },
  challenge: (authenticator, subject, deps) =>
    sendCode({ channel: 'email', to: authenticator.email ?? '' }, subject, deps),
  prove: proveByCode,
  mask: ({ email: address }) => address && maskEmail(address),
  page: { confirms: 'code', needsEmail: true },
  audit: { sent: 'factor_mail_sent', answered: ANSWERED },
}
