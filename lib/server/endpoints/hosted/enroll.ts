// /u/enroll: the link of an enrollment ticket, and a step of the account portal. Opening it shows the ways to add a second factor and changes nothing. A factor is
// added by its first right answer; that ends the link.
// - The page has no transaction. Its form carries the ticket, and the enrolment that waits for an answer, sealed.

import { defineEndpoint } from '../../../http/endpoint'
import { lazy } from '../../../kernel/lazy'
import type { Runtime } from '../../runtime/runtime'

const loadPage = lazy(() => import('../../requests/enroll'))

export const enrollPage = defineEndpoint<Runtime>({
  name: 'u.enroll',
  limit: 'pages',
  shed: 'last',
  refused: 'change_refused',
  cors: 'none',
  errors: 'page',
  posts: 'own-pages',
  methods: {
    GET: async (request, runtime) => (await loadPage()).showEnrollment(request, runtime),
    POST: async (request, runtime) => (await loadPage()).enrollBy(request, runtime),
  },
})
