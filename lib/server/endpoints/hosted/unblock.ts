// /u/unblock: the link of a blocked-account mail. Opening it shows a button and changes nothing (mail scanners open links). The
// button lifts that one block, once.

import { type Blocked, claimUnblockTicket, readUnblockTicket } from '../../../data/users/unblock'
import { defineEndpoint } from '../../../http/endpoint'
import { bodyParameters, type HttpRequest, queryParameters } from '../../../http/message'
import { expiredLink } from '../../../login/expired-link'
import { respondWithPage } from '../../../pages/respond'
import type { ViewOf } from '../../../pages/screens'
import { continueUrlOf } from '../../requests/mail-link'
import type { Runtime } from '../../runtime/runtime'

const PATH = '/u/unblock'

export const unblock = defineEndpoint<Runtime>({
  name: 'u.unblock',
  limit: 'pages',
  shed: 'last',
  refused: 'change_refused',
  cors: 'none',
  errors: 'page',
  posts: 'own-pages',
  methods: {
    GET(request, runtime) {
      const { ticket } = queryParameters(request)
      readTicket(ticket, runtime)
      return show(request, runtime, { ticket: ticket ?? '', phase: 'ask' })
    },
    async POST(request, runtime) {
      const { ticket } = bodyParameters(request)
      const blocked = readTicket(ticket, runtime)
      const { userId, resultUrl, until: _, ...subject } = blocked
      if (!(await claimUnblockTicket(ticket ?? '', blocked, runtime))) throw expiredLink('unblock')
      await runtime.attempts.unblock(subject, request.ip)
      const user = userId === undefined ? null : await runtime.users.find(userId)
      runtime.trail.record('account_unblocked', user ? { user } : {})
      const wayOn = await continueUrlOf({ clientId: null, resultUrl }, runtime)
      return show(request, runtime, { ticket: ticket ?? '', phase: 'done', ...wayOn })
    },
  },
})

function readTicket(ticket: string | undefined, runtime: Runtime): Blocked {
  const subject = readUnblockTicket(ticket ?? '', runtime)
  if (subject) return subject
  throw expiredLink('unblock')
}

const show = (request: HttpRequest, runtime: Runtime, view: Omit<ViewOf<'unblock'>, 'screen' | 'action'>) =>
  respondWithPage({ screen: 'unblock', action: PATH, ...view }, request, runtime)
