// /shared-login/{secret}: the page of a link that an administrator made. It needs no session. Links that are unknown, expired or withdrawn get one
// answer. Opening starts nothing: scanners of mails follow links, and submit no forms.
import { defineEndpoint } from '../../../http/endpoint'
import { lazy } from '../../../kernel/lazy'
import type { Runtime } from '../../runtime/runtime'

/** Loaded with the first link. */
const load = lazy(() => import('../../requests/shared-login'))

export const sharedLogin = defineEndpoint<Runtime>({
  name: 'shared_login',
  limit: { GET: 'pages', POST: 'authorize' },
  shed: 'first',
  refused: null,
  cors: 'none',
  errors: 'page',
  posts: 'own-pages',
  methods: {
    GET: async (request, runtime) => (await load()).showShare(request, runtime),
    POST: async (request, runtime) => (await load()).startSharedTest(request, runtime),
  },
})
