// /u/device: the phone that approves logins, as a page in place of an app (docs/mfa-push.md). The QR code of the enrolment page
// leads here with a ticket; afterwards the page shows pending prompts.
// - Opening the page changes nothing. Enrolment needs the button of our own page, in the browser that the page was shown in.
//   The device's token is kept in a cookie that forms of other sites do not carry.
// - An answer needs a form that this page made for this device and this prompt (threat-model.md BF5). Approval needs the number
//   on the other screen; a wrong number rejects (MF7).
import { defineEndpoint } from '../../../http/endpoint'
import { lazy } from '../../../kernel/lazy'
import type { Runtime } from '../../runtime/runtime'

const loadPage = lazy(() => import('../../requests/push-device'))

export const pushDevice = defineEndpoint<Runtime>({
  name: 'u.device',
  limit: 'pages',
  shed: 'last',
  refused: null,
  cors: 'none',
  errors: 'page',
  posts: 'own-pages',
  methods: {
    GET: async (request, runtime) => (await loadPage()).showDevice(request, runtime),
    POST: async (request, runtime) => (await loadPage()).answerByDevice(request, runtime),
  },
})
