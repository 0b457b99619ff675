// GET /samlp/metadata/{client_id} (the contract's "SAML metadata").

import { defineEndpoint } from '../../../http/endpoint'
import { APP } from '../../../http/examples'
import { respond, withHeaders } from '../../../http/message'
import { oauthJson } from '../../../http/render-errors'
import { writeMetadata } from '../../../protocols/saml/metadata'
import { XML } from '../../requests/schemas'
import type { Runtime } from '../../runtime/runtime'
import { findSamlClient } from './samlp'

export const samlpMetadata = defineEndpoint<Runtime>({
  name: 'samlp.metadata',
  limit: 'metadata',
  shed: 'never',
  refused: null,
  cors: 'open',
  errors: oauthJson,
  describe: () => ({
    tag: 'SAML',
    GET: {
      summary: 'Read the metadata of this server as the identity provider of a client',
      answers: { 200: XML },
      examples: { client: { path: APP } },
    },
  }),
  methods: {
    async GET(request, runtime) {
      const { client, settings } = await findSamlClient(request, runtime)
      const metadata = writeMetadata(client.clientId, settings, runtime)
      return withHeaders(respond(200, 'application/xml; charset=utf-8', metadata), [
        'cache-control',
        'public, max-age=15',
      ])
    },
  },
})
