// POST /passwordless/verify, which auth0-js calls before /passwordless/verify_redirect: checks a code without consuming it. A
// wrong code counts like anywhere else (threat-model.md PW1, PW2).

import * as z from 'zod'
import { isEnabledFor, isPasswordless, type PasswordlessConnection } from '../../../data/connections/connection'
import { optional, text } from '../../../http/description'
import { defineEndpoint } from '../../../http/endpoint'
import { APP, PERSON } from '../../../http/examples'
import { bodyMembers, type HttpRequest, type HttpResponse, json, textMember } from '../../../http/message'
import { oauthJson } from '../../../http/render-errors'
import { lookAtCode, REASON_OF_CODE, readAddress, wrongCode } from '../../../identity/strategies/passwordless'
import { DomainError, invalidRequest, tooManyCodes, unauthorizedClient } from '../../../kernel/errors'
import type { Reason } from '../../../kernel/reasons'
import { required } from '../../requests/database-request'
import type { Runtime } from '../../runtime/runtime'

export const passwordlessVerify = defineEndpoint<Runtime>({
  name: 'passwordless.verify',
  limit: 'passwordless_verify',
  shed: 'first',
  refused: 'login_refused',
  cors: 'open',
  errors: oauthJson,
  methods: { POST: handle },
  describe: () => ({
    tag: 'Passwordless',
    POST: {
      summary: 'Check a code without using it',
      body: z.object({
        connection: text('The passwordless connection'),
        verification_code: text('The code'),
        client_id: optional('The client that asked for the code'),
        email: optional('The address, for a connection by mail'),
        phone_number: optional('The number, for a connection by text message'),
      }),
      answers: { 200: { says: 'The code is right', schema: z.object({}) } },
      examples: {
        code: {
          body: { ...APP, connection: 'email', email: PERSON.username, verification_code: '<one-time code>' },
        },
      },
    },
  }),
})

async function handle(request: HttpRequest, runtime: Runtime): Promise<HttpResponse> {
  const members = bodyMembers(request)
  const name = required(textMember(members, 'connection'), 'connection')
  const code = required(textMember(members, 'verification_code'), 'verification_code')
  const clientId = textMember(members, 'client_id') ?? null
  const connection = await connectionOf(name, clientId, runtime)
  const field = connection.strategy === 'email' ? 'email' : 'phone_number'
  const address = await readAddress(connection, required(textMember(members, field), field))
  if (address === null) throw wrong(connection, 'one_time_code_wrong')
  const tried = await lookAtCode(connection, { address, code, clientId, ip: request.ip }, runtime)
  if (tried === null) throw tooManyCodes()
  if (tried.outcome !== 'fits') throw wrong(connection, REASON_OF_CODE[tried.outcome])
  return json({})
}

async function connectionOf(
  name: string,
  clientId: string | null,
  { clients, connections, trail }: Runtime,
): Promise<PasswordlessConnection> {
  const client = clientId === null ? null : await clients.find(clientId)
  if (client) trail.context({ client })
  if (clientId !== null && !client)
    throw unauthorizedClient('invalid client', { reason: 'unknown_client', detail: `unknown client: ${clientId}` })
  const found = (await connections.all()).find((candidate) => candidate.name === name)
  if (isPasswordless(found) && (client === null || isEnabledFor(found, client))) return found
  throw invalidRequest('Connection does not exist or is not a passwordless connection', {
    reason: 'connection_unknown',
  })
}

const wrong = (connection: PasswordlessConnection, reason: Reason): DomainError =>
  new DomainError('invalid_user_password', wrongCode(connection), { reason })
