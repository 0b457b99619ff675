// POST /passwordless/start (the contract's "Passwordless start"): sends a code or a link to an address.
// - The response is the same for every address, whether or not it may sign in (threat-model.md PW4).
// - A confidential client must authenticate. Messages are counted per address, network and connection (PW2).

import * as z from 'zod'
import type { Client } from '../../../data/clients/client'
import type { PasswordlessConnection } from '../../../data/connections/connection'
import { defineEndpoint } from '../../../http/endpoint'
import { APP, PERSON } from '../../../http/examples'
import { bodyMembers, type HttpRequest, type HttpResponse, json } from '../../../http/message'
import { oauthJson } from '../../../http/render-errors'
import { refuseBots } from '../../../identity/captcha/demand'
import { sendCode } from '../../../identity/strategies/passwordless'
import { DomainError } from '../../../kernel/errors'
import type { CountRequest } from '../../../kernel/request-meter'
import { localeOf } from '../../../pages/respond'
import { authenticateClient, credentialsIn } from '../../../protocols/oauth/client-authentication'
import { addressOf } from '../../../protocols/oauth/forwarded-for'
import {
  addressIn,
  bad,
  connectionNamed,
  linkRequestOf,
  type PasswordlessBody,
  property,
  refuseUnknown,
  startBody,
  wantsLink,
} from '../../requests/passwordless-request'
import type { Runtime } from '../../runtime/runtime'

export const passwordlessStart = defineEndpoint<Runtime>({
  name: 'passwordless.start',
  limit: 'passwordless_start',
  shed: 'first',
  refused: 'login_refused',
  cors: 'open',
  errors: oauthJson,
  /** The limit of /authorize, because a link may carry its parameters. */
  maxBody: 16 * 1024,
  methods: { POST: handle },
  describe: () => ({
    tag: 'Passwordless',
    POST: {
      summary: 'Send a code or a link',
      caller: ['client'],
      body: startBody(),
      answers: {
        200: {
          says: 'The same for every address',
          schema: z.object({
            _id: z.string(),
            email: z.string().optional(),
            email_verified: z.boolean().optional(),
            phone_number: z.string().optional(),
            phone_verified: z.boolean().optional(),
            request_language: z.null().optional(),
          }),
        },
      },
      examples: { code: { body: { ...APP, connection: 'email', email: PERSON.username, send: 'code' } } },
    },
  }),
})

async function handle(request: HttpRequest, runtime: Runtime, count: CountRequest): Promise<HttpResponse> {
  const members = bodyMembers(request)
  refuseUnknown(members)
  const client = await clientOf(request, members, runtime)
  const ip = addressOf(request, client)
  await count(ip)
  const connection = await connectionNamed(property(members, 'connection', 'bad.connection'), client, runtime)
  const address = await addressIn(members, connection)
  const goesOn = await linkRequestOf(members.authParams, client, runtime)
  await refuseBots('passwordless', { ip, answer: members.captcha }, runtime)
  const codeRequest = {
    address,
    clientId: client.clientId,
    request: wantsLink(members, connection) ? goesOn : null,
    ip,
    locale: localeOf(request, runtime.settings, request.headers['x-request-language']),
  }
  const sent = await sendCode(connection, codeRequest, runtime)
  if (sent === 'not_served') throw bad('bad.phone_number', 'Numbers of this country are not served')
  if (sent === 'too_many') throw tooManyMessages()
  return json(answerFor(connection, address, runtime))
}

function clientOf(request: HttpRequest, members: PasswordlessBody, runtime: Runtime): Promise<Client> {
  const basic = request.headers.authorization !== undefined
  if (!basic) property(members, 'client_id', 'bad.client_id')
  return authenticateClient(request, credentialsIn(members), runtime)
}

const tooManyMessages = (): DomainError =>
  new DomainError('too_many_requests', 'Too many messages were asked for. Try again later.', {
    reason: 'too_many_messages',
    retryAfter: 3600,
  })

/** The vendor's response to an unknown address, used for every address. The id depends only on the address. */
function answerFor({ id, strategy }: PasswordlessConnection, address: string, { vault }: Runtime) {
  const _id = vault
    .mac('passwordless-address', JSON.stringify([id, address]))
    .toString('hex')
    .slice(0, 24)
  return strategy === 'email'
    ? { _id, email: address, email_verified: false }
    : { _id, phone_number: address, phone_verified: false, request_language: null }
}
