// POST /passkey/challenge (the contract's native passkeys): the options for an assertion of any discoverable credential.
import * as z from 'zod'
import { defineEndpoint } from '../../../http/endpoint'
import { APP } from '../../../http/examples'
import { bodyMembers, type HttpRequest, type HttpResponse, json } from '../../../http/message'
import { tokenJson } from '../../../http/render-errors'
import { startPasskeySignIn } from '../../../protocols/oauth/passkey'
import { clientOf, placeIn, shared } from '../../requests/passkey-request'
import type { Runtime } from '../../runtime/runtime'

export const passkeyChallenge = defineEndpoint<Runtime>({
  name: 'passkey.challenge',
  limit: 'passkey',
  shed: 'first',
  refused: 'login_refused',
  cors: 'open',
  errors: tokenJson,
  methods: { POST: handle },
  describe: () => ({
    tag: 'Passkeys',
    POST: {
      summary: 'Start a login with a passkey',
      caller: ['client'],
      body: z.object(shared()),
      answers: {
        200: {
          says: 'For `navigator.credentials.get`',
          schema: z.object({
            auth_session: z.string(),
            authn_params_public_key: z.object({
              challenge: z.string(),
              timeout: z.number(),
              rpId: z.string(),
              userVerification: z.enum(['preferred', 'required']),
            }),
          }),
        },
      },
      examples: { challenge: { body: { ...APP, realm: 'Users' } } },
    },
  }),
})

async function handle(request: HttpRequest, runtime: Runtime): Promise<HttpResponse> {
  const members = bodyMembers(request)
  const client = await clientOf(request, members, runtime)
  return json(await startPasskeySignIn(placeIn(members), client, runtime))
}
