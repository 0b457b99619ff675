// /login/callback: where every upstream provider sends people back to, by GET or by a form that its page posts
// (lib/login/upstream-return.ts). The form of a password that was proven on this host comes here too, and goes on at
// /authorize, which judges everything in it as it judges any request.
import { defineEndpoint } from '../http/endpoint'
import { bodyParameters, queryParameters, redirect } from '../http/message'
import { comeBack, keepReply, resume } from '../login/upstream-return'
import type { Runtime } from '../runtime/runtime'
import { onward } from './usernamepassword-login'

/** What becomes an address of /authorize, or is kept for a redirect. */
const MAX_FORM = 16 * 1024

export const loginCallback = defineEndpoint<Runtime>({
  name: 'login.callback',
  cors: 'none',
  errors: 'page',
  maxBody: MAX_FORM,
  methods: {
    POST(request, runtime) {
      const fields = bodyParameters(request)
      if (fields.login_ticket === undefined) return keepReply(fields, runtime)
      return redirect(`${runtime.baseUrl}/authorize?${new URLSearchParams(onward(fields))}`, 303)
    },
    GET: (request, runtime) => comeBack(queryParameters(request), request, runtime),
  },
})

/** Where a browser goes on, with its cookies, after a provider's page has posted to the callback. */
export const resumeLogin = defineEndpoint<Runtime>({
  name: 'u.resume',
  cors: 'none',
  errors: 'page',
  methods: { GET: (request, runtime) => resume(queryParameters(request).reply, request, runtime) },
})
