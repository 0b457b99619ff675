// POST /u/submit: every form of every hosted page of a login. A form, never JSON: it comes from a browser of a person.
import { defineEndpoint } from '../http/endpoint'
import { bodyParameters } from '../http/message'
import { advance } from '../login/advance'
import type { Runtime } from '../runtime/runtime'

export const submit = defineEndpoint<Runtime>({
  name: 'u.submit',
  cors: 'none',
  errors: 'page',
  methods: { POST: (request, runtime) => advance(request, bodyParameters(request), runtime) },
})
