// GET /wsfed/FederationMetadata/2007-06/FederationMetadata.xml, and the same path below /wsfed/{client_id} for one client, with
// its own endpoint, and its own issuer if its add-on sets one.

import { wsfedOf } from '../../../data/clients/wsfed'
import { defineEndpoint } from '../../../http/endpoint'
import { APP } from '../../../http/examples'
import { type HttpResponse, respond } from '../../../http/message'
import { oauthJson } from '../../../http/render-errors'
import { notFound } from '../../../kernel/errors'
import { writeFederationMetadata } from '../../../protocols/wsfed/metadata'
import { XML } from '../../requests/schemas'
import type { Runtime } from '../../runtime/runtime'

export const wsfedMetadata = defineEndpoint<Runtime>({
  name: 'wsfed.metadata',
  limit: 'metadata',
  shed: 'never',
  refused: null,
  cors: 'open',
  errors: oauthJson,
  describe: () => ({
    tag: 'WS-Federation',
    GET: {
      summary: 'Read the federation metadata',
      answers: { 200: XML },
      examples: { metadata: { path: APP } },
    },
  }),
  methods: { GET: async ({ params }, runtime) => describe(params.client_id, runtime) },
})

async function describe(clientId: string | undefined, runtime: Runtime): Promise<HttpResponse> {
  const { baseUrl, entityId, keyring } = runtime
  if (clientId === undefined) return metadata(entityId, `${baseUrl}/wsfed`, keyring.certificates)
  const client = await runtime.clients.find(clientId)
  const settings = client && wsfedOf(client)
  if (!settings) throw notFound('Unknown client')
  return metadata(settings.issuer ?? entityId, `${baseUrl}/wsfed/${encodeURIComponent(clientId)}`, keyring.certificates)
}

const metadata = (issuer: string, endpoint: string, certificates: readonly string[]): HttpResponse =>
  respond(200, 'application/xml; charset=utf-8', writeFederationMetadata({ issuer, endpoint, certificates }))
