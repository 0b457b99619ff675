// The test of a login (docs/adr/0072): /login-test/start begins it, /login-test/callback receives the answer in place of the application.
import { defineEndpoint } from '../../../http/endpoint'
import { bodyParameters, queryParameters } from '../../../http/message'
import { lazy } from '../../../kernel/lazy'
import type { Runtime } from '../../runtime/runtime'

/** Loaded with the first test. */
const load = lazy(() => import('../../requests/login-test'))

export const startLoginTest = defineEndpoint<Runtime>({
  name: 'login_test.start',
  limit: 'authorize',
  shed: 'first',
  refused: null,
  cors: 'none',
  errors: 'page',
  methods: {
    GET: async (request, runtime) => (await load()).startTest(request, runtime),
  },
})

export const loginTestCallback = defineEndpoint<Runtime>({
  name: 'login_test.callback',
  limit: 'authorize',
  shed: 'last',
  refused: null,
  cors: 'none',
  errors: 'page',
  posts: 'own-pages',
  methods: {
    GET: async (request, runtime) => (await load()).receiveAnswer(queryParameters(request), request, runtime),
    POST: async (request, runtime) => (await load()).receiveAnswer(bodyParameters(request), request, runtime),
  },
})
