// POST /oauth/device/code (RFC 8628 3.1): issues a device code for polling and a user code to display.
import { defineEndpoint } from '../../http/endpoint'
import { bodyParameters, json } from '../../http/message'
import { oauthJson } from '../../http/render-errors'
import { authenticateClient } from '../../oauth/client-authentication'
import { beginDevice } from '../../oauth/device'
import { deviceCode as grant } from '../../oauth/grants/device-code'
import { grantFor } from '../../oauth/grants/index'
import type { Runtime } from '../../runtime/runtime'

export const deviceCode = defineEndpoint<Runtime>({
  name: 'oauth.device_code',
  limit: 'device_code',
  shed: 'first',
  refused: 'device_request_refused',
  cors: 'open',
  errors: oauthJson,
  methods: {
    async POST(request, runtime) {
      const parameters = bodyParameters(request)
      const client = await authenticateClient(request, parameters, runtime)
      grantFor(grant.type, client, runtime.vendorHost)
      return json(await beginDevice(parameters, client, runtime))
    },
  },
})
