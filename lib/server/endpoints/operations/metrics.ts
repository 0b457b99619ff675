// Metrics of this process for Prometheus: needs the operator's token; 404 if none is configured.
import { defineEndpoint } from '../../../http/endpoint'
import { respond } from '../../../http/message'
import { oauthJson } from '../../../http/render-errors'
import { notFound } from '../../../kernel/errors'
import { digest, equalsConstantTime } from '../../../kernel/secret'
import type { Runtime } from '../../runtime/runtime'

export const metrics = defineEndpoint<Runtime>({
  name: 'metrics',
  limit: 'metadata',
  shed: 'never',
  refused: null,
  cors: 'none',
  errors: oauthJson,
  methods: {
    async GET({ headers }, { metrics: counted }) {
      const presented = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? ''
      if (!counted || !equalsConstantTime(digest(presented), counted.tokenDigest)) throw notFound('Not found')
      return respond(200, counted.contentType, await counted.page())
    },
  },
})
