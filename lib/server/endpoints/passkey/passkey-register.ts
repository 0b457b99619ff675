// POST /passkey/register (the contract's native passkeys): the options for a credential of a new account. The account is created by the
// token endpoint.
import * as z from 'zod'
import { defineEndpoint } from '../../../http/endpoint'
import { APP } from '../../../http/examples'
import { bodyMembers, type HttpRequest, type HttpResponse, json } from '../../../http/message'
import { tokenJson } from '../../../http/render-errors'
import { malformedParameter, missingParameter } from '../../../kernel/errors'
import { once } from '../../../kernel/lazy'
import { type SignUpProfile, startPasskeySignUp } from '../../../protocols/oauth/passkey'
import { clientOf, placeIn, shared } from '../../requests/passkey-request'
import type { Runtime } from '../../runtime/runtime'

export const passkeyRegister = defineEndpoint<Runtime>({
  name: 'passkey.register',
  limit: 'passkey',
  shed: 'first',
  refused: 'sign_up_refused',
  cors: 'open',
  errors: tokenJson,
  methods: { POST: handle },
  describe: () => ({
    tag: 'Passkeys',
    POST: {
      summary: 'Start a sign-up with a passkey',
      caller: ['client'],
      body: registerBody(),
      answers: {
        200: {
          says: 'For `navigator.credentials.create`',
          schema: z.object({
            auth_session: z.string(),
            authn_params_public_key: z.object({
              challenge: z.string(),
              timeout: z.number(),
              rp: z.object({ id: z.string(), name: z.string() }),
              user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
              pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.number() })),
              authenticatorSelection: z.object({
                residentKey: z.literal('required'),
                userVerification: z.enum(['preferred', 'required']),
              }),
            }),
          }),
        },
      },
      examples: {
        account: { body: { ...APP, realm: 'Users', user_profile: { email: 'native@example.com', name: 'Neo' } } },
      },
    },
  }),
})

const name = (longest: number) => z.string().max(longest).optional()

const profile = once(() =>
  z.strictObject({
    email: z.string().max(320).meta({ description: 'The address' }),
    username: name(128).meta({ description: 'The user name, where the connection has them' }),
    name: name(300),
    given_name: name(150),
    family_name: name(150),
    nickname: name(300),
    picture: name(2048),
  }),
)

const registerBody = once(() =>
  z.object({
    ...shared(),
    user_profile: profile(),
    user_metadata: z.record(z.string(), z.string()).optional().meta({ description: 'At most ten texts' }),
  }),
)

async function handle(request: HttpRequest, runtime: Runtime): Promise<HttpResponse> {
  const members = bodyMembers(request)
  const client = await clientOf(request, members, runtime)
  const person = profileIn(members)
  return json(await startPasskeySignUp(placeIn(members), person, client, runtime))
}

function profileIn({ user_profile, user_metadata }: Readonly<Record<string, unknown>>): SignUpProfile {
  if (user_profile === undefined || user_profile === null) throw missingParameter('user_profile')
  const read = profile().safeParse(user_profile)
  if (!read.success) throw malformedParameter('user_profile', `user_profile is invalid: ${placeOf(read.error)}`)
  return { ...read.data, ...(user_metadata === undefined || user_metadata === null ? {} : { user_metadata }) }
}

/** The first fault, without the value that was sent. */
const placeOf = ({ issues: [issue] }: z.ZodError): string =>
  issue?.code === 'unrecognized_keys' ? 'it has members that are not supported' : (issue?.path.join('.') ?? '')
