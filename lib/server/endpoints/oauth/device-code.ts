// POST /oauth/device/code (RFC 8628 3.1): issues a device code for polling and a user code to display.

import * as z from 'zod'
import { optional, resource, scope } from '../../../http/description'
import { defineEndpoint } from '../../../http/endpoint'
import { APP } from '../../../http/examples'
import { bodyParameters, json } from '../../../http/message'
import { oauthJson } from '../../../http/render-errors'
import { authenticateClient } from '../../../protocols/oauth/client-authentication'
import { beginDevice } from '../../../protocols/oauth/device'
import { deviceCode as grant } from '../../../protocols/oauth/grants/device-code'
import { grantFor } from '../../../protocols/oauth/grants/index'
import { credentials } from '../../requests/schemas'
import type { Runtime } from '../../runtime/runtime'

export const deviceCode = defineEndpoint<Runtime>({
  name: 'oauth.device_code',
  limit: 'device_code',
  shed: 'first',
  refused: 'device_request_refused',
  cors: 'open',
  errors: oauthJson,
  describe: () => ({
    tag: 'Tokens',
    POST: {
      summary: 'Start the login of a device without a browser (RFC 8628)',
      caller: ['client'],
      body: z.object({
        ...credentials(),
        audience: optional('The API that the access token is for'),
        resource: resource(),
        scope: scope(),
      }),
      answers: {
        200: {
          says: 'The codes',
          schema: z.object({
            device_code: z.string(),
            user_code: z.string(),
            verification_uri: z.string(),
            verification_uri_complete: z.string(),
            expires_in: z.number(),
            interval: z.number(),
          }),
        },
      },
      examples: { device: { body: { ...APP, scope: 'openid offline_access' } } },
    },
  }),
  methods: {
    async POST(request, runtime) {
      const parameters = bodyParameters(request)
      const client = await authenticateClient(request, parameters, runtime)
      grantFor(grant.type, client, runtime)
      return json(await beginDevice(parameters, client, runtime))
    },
  },
})
