// POST /u/submit: the target of every form of the login pages. The pressed button is the `action`.
import { defineEndpoint } from '../../../http/endpoint'
import { bodyParameters, queryParameters } from '../../../http/message'
import { advance } from '../../../login/flow/advance'
import { freshFor } from '../../../login/flow/screen-urls'
import { refusalEvent } from '../../../login/reset-origin'
import { respondToVisitor } from '../../login-http/respond'
import { readVisitor } from '../../login-http/visitor'
import type { Runtime } from '../../runtime/runtime'

export const submit = defineEndpoint<Runtime>({
  name: 'u.submit',
  limit: 'submit',
  shed: 'last',
  refused: refusalEvent,
  cors: 'none',
  errors: 'page',
  posts: 'own-pages',
  methods: {
    async POST(request, runtime) {
      const input = bodyParameters(request)
      const purpose = freshFor(queryParameters(request), 'form')
      return respondToVisitor(await advance(input, purpose, readVisitor(request, runtime), runtime), runtime)
    },
  },
})
