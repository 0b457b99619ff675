// POST /dbconnections/change_password (the contract's "Change password"): sends a link, and changes no password. Response,
// response time and writes are the same whether or not the account exists (threat-model.md DB6).

import { requestReset } from '../../accounts/reset-password'
import { type Count, defineEndpoint } from '../../http/endpoint'
import { bodyMembers, type HttpRequest, type HttpResponse, html, textMember } from '../../http/message'
import { databaseJson } from '../../http/render-errors'
import type { Runtime } from '../../runtime/runtime'
import { canonical } from '../../users/user'
import { contextOf, databaseNamed, required } from './database-request'

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
})

async function handle(request: HttpRequest, runtime: Runtime, count: Count): Promise<HttpResponse> {
  const members = bodyMembers(request)
  const email = required(textMember(members, 'email'), 'email')
  const name = required(textMember(members, 'connection'), 'connection')
  const clientId = textMember(members, 'client_id')
  const connection = await databaseNamed(name, clientId, runtime)
  await count(JSON.stringify([connection.id, canonical(email)]))
  await requestReset(connection, email, contextOf(request, clientId, runtime), runtime)
  return html(SENT)
}
