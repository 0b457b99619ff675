// /u/verify-email: the link of a verification mail. Opening it shows a button and changes nothing (mail scanners open links).
// The button marks the address as verified, once.

import { defineEndpoint } from '../../../http/endpoint'
import { bodyParameters, queryParameters } from '../../../http/message'
import { openVerification, verifyEmail } from '../../../identity/accounts/verify-email'
import { reasonOfDenial } from '../../../identity/tenant-code/trigger'
import { accessDenied } from '../../../kernel/errors'
import { findSession } from '../../../login/begin/signed-in'
import { expiredLink } from '../../../login/expired-link'
import { localeOf, respondWithPage } from '../../../pages/respond'
import { readVisitor } from '../../login-http/visitor'
import { continueUrlOf } from '../../requests/mail-link'
import type { Runtime } from '../../runtime/runtime'

const PATH = '/u/verify-email'

export const verifyEmailPage = defineEndpoint<Runtime>({
  name: 'u.verify-email',
  limit: 'pages',
  shed: 'last',
  refused: 'verification_refused',
  cors: 'none',
  errors: 'page',
  posts: 'own-pages',
  methods: {
    async GET(request, runtime) {
      const { ticket = '' } = queryParameters(request)
      const open = await openVerification(ticket, runtime)
      if (!open) throw expiredLink('verify-email')
      const { email } = open
      return respondWithPage({ screen: 'verify-email', phase: 'ask', action: PATH, ticket, email }, request, runtime)
    },
    async POST(request, runtime) {
      const { ticket = '' } = bodyParameters(request)
      const signedIn = await findSession(readVisitor(request, runtime), runtime)
      const context = { ip: request.ip, locale: localeOf(request, runtime.settings) }
      const result = await verifyEmail(ticket, signedIn?.user.id ?? null, context, runtime)
      if (result.outcome === 'expired') throw expiredLink('verify-email')
      if (result.outcome === 'denied')
        throw accessDenied(result.denied.reason, { reason: reasonOfDenial(result.denied), redirectable: false })
      const { email } = result.user
      const wayOn = await continueUrlOf(result, runtime)
      return respondWithPage({ screen: 'verify-email', phase: 'done', email: email ?? '', ...wayOn }, request, runtime)
    },
  },
})
