// GET /mfa/authenticators and DELETE /mfa/authenticators/{id} (the contract): a user's own factors, masked, and the removal of
// one (threat-model.md MF3). Another user's id answers as if it did not exist.
import * as z from 'zod'
import { defineEndpoint } from '../../../http/endpoint'
import { empty, type HttpRequest, type HttpResponse, json } from '../../../http/message'
import { oauthJson } from '../../../http/render-errors'
import { viewOfAuthenticator } from '../../../identity/mfa/authenticator-view'
import { removeFactors } from '../../../identity/mfa/remove'
import { notFound } from '../../../kernel/errors'
import type { CountRequest } from '../../../kernel/request-meter'
import { callerByAny, callerByToken } from '../../../protocols/oauth/mfa-caller'
import type { Runtime } from '../../runtime/runtime'

export const mfaAuthenticators = defineEndpoint<Runtime>({
  name: 'mfa.authenticators',
  limit: 'mfa',
  shed: 'last',
  refused: 'change_refused',
  cors: 'open',
  errors: oauthJson,
  methods: { GET: list },
  describe: () => ({
    tag: 'Second factors',
    GET: {
      summary: 'List the second factors of the person',
      caller: ['mfa_token', 'access_token'],
      scopes: [LIST],
      answers: {
        200: {
          says: 'The factors',
          schema: z.array(
            z.object({
              id: z.string(),
              authenticator_type: z.string(),
              active: z.boolean(),
              oob_channel: z.string().optional(),
              name: z.string().optional(),
              type: z.string(),
            }),
          ),
        },
      },
      examples: { all: {} },
    },
  }),
})

const LIST = 'read:authenticators'
const REMOVE = 'remove:authenticators'

async function list(request: HttpRequest, runtime: Runtime, count: CountRequest): Promise<HttpResponse> {
  const { enrolments, user } = await callerByAny(request, LIST, runtime)
  await count(user.id)
  return json(enrolments.all.map(viewOfAuthenticator))
}

export const mfaAuthenticator = defineEndpoint<Runtime>({
  name: 'mfa.authenticator',
  limit: 'mfa',
  shed: 'last',
  refused: 'change_refused',
  cors: 'open',
  errors: oauthJson,
  methods: { DELETE: remove },
  describe: () => ({
    tag: 'Second factors',
    DELETE: {
      summary: 'Remove a second factor',
      caller: ['access_token'],
      scopes: [REMOVE],
      answers: { 204: { says: 'It is removed' } },
      examples: { one: { path: { id: '<authenticator>' } } },
    },
  }),
})

async function remove(request: HttpRequest, runtime: Runtime, count: CountRequest): Promise<HttpResponse> {
  const { user } = await callerByToken(request, REMOVE, runtime)
  await count(user.id)
  const meant = (await runtime.authenticators.list(user.id)).filter(({ id }) => id === request.params.id)
  if (!(await removeFactors(user, meant, runtime))) throw notFound('Authenticator not found')
  return empty(204)
}
