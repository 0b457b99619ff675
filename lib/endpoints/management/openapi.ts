// GET /api/v2/openapi.json: the OpenAPI document of the Management API. It names no object of the tenant, so it needs no token.
import { defineEndpoint } from '../../http/endpoint'
import { respond, withHeaders } from '../../http/message'
import { lazy } from '../../kernel/lazy'
import type { Runtime } from '../../runtime/runtime'
import { managementJson } from './render'

const load = lazy(() => import('../../management/openapi'))

/** By base URL; the text is large and changes with the program alone. */
const documents = new Map<string, string>()
const MAX_DOCUMENTS = 50

export const openapi = defineEndpoint<Runtime>({
  name: 'management.openapi',
  limit: 'metadata',
  shed: 'first',
  refused: null,
  cors: 'open',
  errors: managementJson,
  methods: {
    async GET(_request, { baseUrl }) {
      const text = documents.get(baseUrl) ?? (await load()).openApiDocument(baseUrl)
      if (documents.size >= MAX_DOCUMENTS) documents.clear()
      documents.set(baseUrl, text)
      return withHeaders(respond(200, 'application/json; charset=utf-8', text), [
        'cache-control',
        'public, max-age=300',
      ])
    },
  },
})
