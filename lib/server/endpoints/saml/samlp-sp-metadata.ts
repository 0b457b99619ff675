// GET /samlp/metadata?connection= (the contract's "SAML metadata"): this server as the service provider of a connection.

import * as z from 'zod'
import { isSaml } from '../../../data/connections/connection'
import { writeSpMetadata } from '../../../data/connections/upstream/saml-metadata'
import { text } from '../../../http/description'
import { defineEndpoint } from '../../../http/endpoint'
import { queryParameters, respond, withHeaders } from '../../../http/message'
import { oauthJson } from '../../../http/render-errors'
import { missingParameter, notFound } from '../../../kernel/errors'
import { XML } from '../../requests/schemas'
import type { Runtime } from '../../runtime/runtime'

export const samlpSpMetadata = defineEndpoint<Runtime>({
  name: 'samlp.sp-metadata',
  limit: 'metadata',
  shed: 'never',
  refused: null,
  cors: 'open',
  errors: oauthJson,
  describe: () => ({
    tag: 'SAML',
    GET: {
      summary: 'Read the metadata of this server as the service provider of a connection',
      query: z.object({ connection: text('The SAML connection') }),
      answers: { 200: XML },
      examples: { connection: { query: { connection: 'partner' } } },
    },
  }),
  methods: {
    async GET(request, runtime) {
      const { connection: name } = queryParameters(request)
      if (name === undefined) throw missingParameter('connection')
      const connection = (await runtime.connections.all()).find((each) => each.name === name)
      if (!isSaml(connection)) throw notFound('Unknown SAML connection', { redirectable: false })
      const metadata = writeSpMetadata(connection, runtime)
      return withHeaders(respond(200, 'application/xml; charset=utf-8', metadata), [
        'cache-control',
        'public, max-age=15',
      ])
    },
  },
})
