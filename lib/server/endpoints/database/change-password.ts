// POST /dbconnections/change_password (the contract's "Change password"): sends a link, and changes no password. Response,
// response time and writes are the same whether or not the account exists (threat-model.md DB6).

import * as z from 'zod'
import { resetsPasswords } from '../../../data/connections/custom-database'
import { namedIn } from '../../../data/organizations/organization'
import { canonical } from '../../../data/users/user'
import { CAPTCHA, optional, readMembers, text } from '../../../http/description'
import { defineEndpoint } from '../../../http/endpoint'
import { APP, PERSON } from '../../../http/examples'
import { bodyMembers, type HttpRequest, type HttpResponse, html } from '../../../http/message'
import { databaseJson } from '../../../http/render-errors'
import { requestReset } from '../../../identity/accounts/reset-password'
import { refuseBots } from '../../../identity/captcha/demand'
import { invalidRequest } from '../../../kernel/errors'
import { once } from '../../../kernel/lazy'
import type { CountRequest } from '../../../kernel/request-meter'
import { contextOf, databaseNamed } from '../../requests/database-request'
import { PAGE } from '../../requests/schemas'
import type { Runtime } from '../../runtime/runtime'

/** SDKs compare this text. It is sent as HTML because the vendor does so. */
const SENT = "We've just sent you an email to reset your password."

export const changePassword = defineEndpoint<Runtime>({
  name: 'dbconnections.change_password',
  limit: 'change_password',
  shed: 'first',
  refused: 'reset_request_refused',
  cors: 'open',
  errors: databaseJson,
  methods: { POST: handle },
  describe: () => ({
    tag: 'Database',
    POST: {
      summary: 'Send a link that changes the password',
      body: resetBody(),
      answers: { 200: { says: 'The same sentence for every address', type: PAGE } },
      examples: { address: { body: { ...APP, email: PERSON.username, connection: 'Users' } } },
    },
  }),
})

const resetBody = once(() =>
  z.object({
    email: text('The address of the account'),
    connection: text('The database connection'),
    client_id: optional('The client whose login follows'),
    organization: optional(
      'The id of the organization that the mail is about, or its name where the tenant allows names',
    ),
    captcha: optional(CAPTCHA),
  }),
)

async function handle(request: HttpRequest, runtime: Runtime, count: CountRequest): Promise<HttpResponse> {
  const {
    email,
    connection: name,
    client_id: clientId,
    organization: named,
    captcha: answer,
  } = readMembers(resetBody(), bodyMembers(request))
  const connection = await databaseNamed(name, clientId, runtime)
  if (!resetsPasswords(connection)) throw disabled()
  const organization = await namedIn(named, 'allow', runtime)
  await count(JSON.stringify([connection.id, canonical(email)]))
  await refuseBots('password_reset', { ip: request.ip, answer }, runtime)
  await requestReset(connection, email, { ...contextOf(request, clientId, runtime), organization }, runtime)
  return html(SENT)
}

const disabled = () =>
  invalidRequest('Self-service change of passwords is disabled for this connection', { reason: 'reset_disabled' })
