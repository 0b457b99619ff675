// GET and POST /me/v1/authentication-methods: the ways to sign in of the caller, and the start of adding one (docs/my-account.md).
import * as z from 'zod'
import { optional } from '../../../http/description'
import { PERSON } from '../../../http/examples'
import { type HttpResponse, json, jsonMembers, queryParameters, withHeaders } from '../../../http/message'
import { malformedParameter } from '../../../kernel/errors'
import { ADDED_TYPES, KINDS, kindOfType, methodsOf, TYPES } from '../../my-account/kinds/index'
import { changing, defineMyAccountEndpoint, reading } from '../../my-account/my-account-endpoint'
import { invalidMember } from '../../my-account/read-body'
import { methodSchema } from '../../my-account/schemas'
import type { Runtime } from '../../runtime/runtime'

const READ = 'read:me:authentication_methods'
const CREATE = 'create:me:authentication_methods'

export const authenticationMethods = defineMyAccountEndpoint(
  'me.authentication_methods',
  {
    async GET(request, runtime, count) {
      const call = await reading(READ, request, runtime, count)
      const { type } = queryParameters(request)
      if (type !== undefined && !TYPES.includes(type))
        throw malformedParameter('type', `type must be one of ${TYPES.join(', ')}`)
      const found = await methodsOf(call)
      return json({ authentication_methods: found.filter((each) => type === undefined || each.type === type) })
    },
    async POST(request, runtime, count) {
      const call = await changing(CREATE, request, runtime, count)
      const members = jsonMembers(request)
      const kind = kindOfType(members.type)
      if (!kind) throw invalidMember('type', `It must be one of ${ADDED_TYPES.join(', ')}`)
      const { id, body } = await kind.begin(call, members)
      return withLocation(id, json(body, 202), runtime)
    },
  },
  () => ({
    GET: {
      summary: 'List the ways to sign in of the person',
      caller: ['access_token'],
      scopes: [READ],
      query: z.object({ type: optional('One type alone') }),
      answers: {
        200: { says: 'The methods', schema: z.object({ authentication_methods: z.array(methodSchema()) }) },
      },
      examples: { all: {}, passkeys: { query: { type: 'passkey' } } },
    },
    POST: {
      summary: 'Start adding a way to sign in',
      caller: ['access_token'],
      scopes: [CREATE],
      body: z.union(KINDS.flatMap(({ begins }) => Object.values(begins).map((body) => body()))),
      encoding: 'json',
      answers: {
        202: {
          says: 'What confirms it; `Location` is the address of the method',
          schema: z.object({
            id: z.string().optional().meta({ description: 'Absent for a passkey' }),
            auth_session: z.string(),
            barcode_uri: optional('Of an authenticator app or a device: the content of the QR code'),
            manual_input_code: optional('Of an authenticator app: the key to type'),
            recovery_code: optional('Shown here alone'),
            authn_params_public_key: z.looseObject({}).optional().meta({ description: 'For a passkey' }),
            policy: z.looseObject({}).optional().meta({ description: 'Of a password' }),
          }),
        },
      },
      examples: {
        app: { body: { type: 'totp' } },
        mail: { body: { type: 'email', email: PERSON.username } },
        phone: { body: { type: 'phone', phone_number: '+4915112349167', preferred_authentication_method: 'sms' } },
        device: { body: { type: 'push-notification' } },
        passkey: { body: { type: 'passkey', use_exclude_credentials: true } },
        password: { body: { type: 'password' } },
      },
    },
  }),
)

/** The answer with the address of the method. */
export const withLocation = (id: string, answer: HttpResponse, { baseUrl }: Runtime): HttpResponse =>
  withHeaders(answer, ['location', `${baseUrl}/me/v1/authentication-methods/${encodeURIComponent(id)}`])
