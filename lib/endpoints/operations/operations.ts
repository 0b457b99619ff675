// What the machinery around the server asks: is the process alive, and can it do its work.
import { defineEndpoint } from '../../http/endpoint'
import { json, text } from '../../http/message'
import { oauthJson } from '../../http/render-errors'
import type { Runtime } from '../../runtime/runtime'

/** Alive: answers while the process runs, whatever else is away. */
export const healthz = defineEndpoint<Runtime>({
  name: 'healthz',
  limit: null,
  shed: 'never',
  refused: null,
  cors: 'none',
  errors: oauthJson,
  methods: { GET: () => text('ok') },
})

/** Ready: database, migrations and keys are there. 503 otherwise, naming what is not. */
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
