// Health checks: is the process alive, and is it ready to serve.
import { defineEndpoint } from '../../../http/endpoint'
import { json, text } from '../../../http/message'
import { oauthJson } from '../../../http/render-errors'
import type { Runtime } from '../../runtime/runtime'

/** Liveness: answers while the process runs, even if dependencies are down. */
export const healthz = defineEndpoint<Runtime>({
  name: 'healthz',
  limit: null,
  shed: 'never',
  refused: null,
  cors: 'none',
  errors: oauthJson,
  methods: { GET: () => text('ok') },
})

/** Readiness: database, migrations and keys are available; otherwise 503 with the names of what is missing. */
export const readyz = defineEndpoint<Runtime>({
  name: 'readyz',
  limit: null,
  shed: 'never',
  refused: null,
  cors: 'none',
  errors: oauthJson,
  methods: {
    async GET(_request, runtime) {
      const { ready, checks } = await runtime.readiness()
      return json({ status: ready ? 'ready' : 'not ready', checks }, ready ? 200 : 503)
    },
  },
})
