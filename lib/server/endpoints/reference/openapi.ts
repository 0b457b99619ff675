// The OpenAPI documents: GET /openapi.json of the Authentication API, GET /api/v2/openapi.json of the Management API. They name
// no object of the tenant, so they need no token.
import { defineEndpoint, type Endpoint } from '../../../http/endpoint'
import { respond, withHeaders } from '../../../http/message'
import { type ErrorRenderer, oauthJson } from '../../../http/render-errors'
import { lazy } from '../../../kernel/lazy'
import { managementJson } from '../../management-http/render'
import type { Table } from '../../requests/document'
import type { Runtime } from '../../runtime/runtime'

const management = lazy(() => import('../../../management/openapi'))
const authentication = lazy(() => import('../../requests/document'))

const MAX_DOCUMENTS = 50

type Write = (runtime: Runtime) => Promise<string>

/** The text is large and changes with the program alone, so it is kept by base URL. */
function documentAt(name: string, errors: ErrorRenderer, write: Write): Endpoint<Runtime> {
  const documents = new Map<string, string>()
  return defineEndpoint<Runtime>({
    name,
    limit: 'metadata',
    shed: 'first',
    refused: null,
    cors: 'open',
    errors,
    methods: {
      async GET(_request, runtime) {
        const { baseUrl } = runtime
        const text = documents.get(baseUrl) ?? (await write(runtime))
        if (documents.size >= MAX_DOCUMENTS) documents.clear()
        documents.set(baseUrl, text)
        return withHeaders(respond(200, 'application/json; charset=utf-8', text), [
          'cache-control',
          'public, max-age=300',
        ])
      },
    },
  })
}

export const managementOpenapi = documentAt('management.openapi', managementJson, async ({ baseUrl }) =>
  (await management()).openApiDocument(baseUrl),
)

/** The table contains this endpoint, so it is given when it is needed. */
export const openapi = (table: () => Table<Runtime>): Endpoint<Runtime> =>
  documentAt('openapi', oauthJson, async (runtime) => (await authentication()).authenticationDocument(table(), runtime))
