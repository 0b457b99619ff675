// GET /dev/outbox.json?to=&channel= : the messages this server would have sent, newest first, for tests and development. It
// exists only while the outbox is enabled (threat-model.md SC3).

import { readInbox } from '../../../data/outbox/inbox'
import { defineEndpoint } from '../../../http/endpoint'
import { json, queryParameters } from '../../../http/message'
import { oauthJson } from '../../../http/render-errors'
import { notFound } from '../../../kernel/errors'
import type { Runtime } from '../../runtime/runtime'

export const devOutbox = defineEndpoint<Runtime>({
  name: 'dev.outbox',
  limit: 'pages',
  shed: 'last',
  refused: null,
  cors: 'none',
  errors: oauthJson,
  methods: {
    async GET(request, { devOutbox, tenantId, outbox, vault }) {
      if (!devOutbox) throw notFound('There is nothing here')
      const { to, channel } = queryParameters(request)
      return json(await readInbox({ tenantId, to, channel }, { outbox, vault }))
    },
  },
})
