// /u/restore-email: the link of the mail about a changed address. Opening it shows a button and changes nothing (mail scanners
// open links). The button gives the account its address back, once.

import { defineEndpoint } from '../../../http/endpoint'
import { bodyParameters, queryParameters } from '../../../http/message'
import { openRestoration, RESTORE_PATH, restoreEmail } from '../../../identity/contact/restore-email'
import { expiredLink } from '../../../login/expired-link'
import { localeOf, respondWithPage } from '../../../pages/respond'
import type { Runtime } from '../../runtime/runtime'

export const restoreEmailPage = defineEndpoint<Runtime>({
  name: 'u.restore-email',
  limit: 'pages',
  shed: 'last',
  refused: 'change_refused',
  cors: 'none',
  errors: 'page',
  posts: 'own-pages',
  methods: {
    async GET(request, runtime) {
      const { ticket = '' } = queryParameters(request)
      const open = await openRestoration(ticket, runtime)
      if (!open) throw expiredLink()
      const view = { phase: 'ask', action: RESTORE_PATH, ticket, email: open.email } as const
      return respondWithPage({ screen: 'restore-email', ...view }, request, runtime)
    },
    async POST(request, runtime) {
      const { ticket = '' } = bodyParameters(request)
      const open = await openRestoration(ticket, runtime)
      if (!open) throw expiredLink()
      const context = { ip: request.ip, locale: localeOf(request, runtime.settings) }
      const restored = await restoreEmail(ticket, context, runtime)
      const { email } = open
      switch (restored.outcome) {
        case 'expired':
          throw expiredLink()
        case 'taken': {
          const view = { phase: 'taken', action: RESTORE_PATH, ticket, email } as const
          return respondWithPage({ screen: 'restore-email', ...view }, request, runtime)
        }
        case 'done': {
          runtime.wakeDispatcher()
          const view = { phase: 'done', email, isReset: restored.isReset } as const
          return respondWithPage({ screen: 'restore-email', ...view }, request, runtime)
        }
      }
    },
  },
})
