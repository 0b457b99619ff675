// POST /u/submit: the target of every form of the login pages. The pressed button is the `action`.
import { defineEndpoint } from '../../http/endpoint'
import { bodyParameters } from '../../http/message'
import { advance } from '../../login/steps/advance'
import type { Runtime } from '../../runtime/runtime'

export const submit = defineEndpoint<Runtime>({
  name: 'u.submit',
  limit: 'submit',
  shed: 'last',
  refused: 'login_refused',
  cors: 'none',
  errors: 'page',
  posts: 'own-pages',
  methods: { POST: (request, runtime) => advance(request, bodyParameters(request), runtime) },
})
