// The API for a phone app that approves logins (docs/mfa-push.md): enrol the device, list pending prompts, answer. It uses the
// same tokens, prompts and answers as the page /u/device (threat-model.md MF7).

import * as z from 'zod'
import { optional, text } from '../../../http/description'
import { defineEndpoint } from '../../../http/endpoint'
import { bearerOf } from '../../../http/headers'
import { bodyParameters, empty, type HttpRequest, type HttpResponse, json } from '../../../http/message'
import { oauthJson } from '../../../http/render-errors'
import { answerPrompt, type DevicePrompt, enrollDevice, promptsOf } from '../../../identity/mfa/device'
import { invalidToken, malformedParameter, missingParameter, notFound } from '../../../kernel/errors'
import type { Runtime } from '../../runtime/runtime'

export const mfaDevices = defineEndpoint<Runtime>({
  name: 'mfa.devices',
  limit: 'mfa_device',
  shed: 'last',
  refused: 'change_refused',
  cors: 'none',
  errors: oauthJson,
  methods: { POST: enroll },
  describe: () => ({
    tag: 'Push',
    POST: {
      summary: 'Register a phone that approves logins',
      body: z.object({
        enrollment_tx_id: text('The ticket of the QR code'),
        name: optional('A name that the person recognizes'),
      }),
      answers: { 201: { says: 'The token of the device', schema: z.object({ device_token: z.string() }) } },
      examples: { phone: { body: { enrollment_tx_id: '<enrollment ticket>', name: 'Phone' } } },
    },
  }),
})

async function enroll(request: HttpRequest, runtime: Runtime): Promise<HttpResponse> {
  const { enrollment_tx_id: ticket, name = '' } = bodyParameters(request)
  if (!ticket) throw missingParameter('enrollment_tx_id')
  const token = await enrollDevice(ticket, name, runtime)
  if (token === null) throw notFound('The enrollment is unknown, over, or was used')
  return json({ device_token: token }, 201)
}

export const mfaPrompts = defineEndpoint<Runtime>({
  name: 'mfa.prompts',
  limit: 'mfa_device',
  shed: 'last',
  refused: 'change_refused',
  cors: 'none',
  errors: oauthJson,
  methods: { GET: list },
  describe: () => ({
    tag: 'Push',
    GET: {
      summary: 'List the logins that wait for the device',
      caller: ['device_token'],
      answers: {
        200: {
          says: 'The prompts',
          schema: z.object({
            prompts: z.array(
              z.object({
                id: z.string(),
                application: z.string(),
                network: z.string(),
                asks_number: z.boolean(),
                created_at: z.iso.datetime(),
                expires_at: z.iso.datetime(),
              }),
            ),
          }),
        },
      },
      examples: { all: {} },
    },
  }),
})

async function list(request: HttpRequest, runtime: Runtime): Promise<HttpResponse> {
  const { prompts } = await deviceOf(request, runtime)
  return json({ prompts: prompts.map(shownOf) })
}

const shownOf = ({ id, clientName, ip, asksNumber, createdAt, expiresAt }: DevicePrompt) => ({
  id,
  application: clientName,
  network: ip,
  asks_number: asksNumber,
  created_at: createdAt.toISOString(),
  expires_at: expiresAt.toISOString(),
})

export const mfaPrompt = defineEndpoint<Runtime>({
  name: 'mfa.prompt',
  limit: 'mfa_device',
  shed: 'last',
  refused: 'change_refused',
  cors: 'none',
  errors: oauthJson,
  methods: { POST: answer },
  describe: () => ({
    tag: 'Push',
    POST: {
      summary: 'Approve or reject a login',
      caller: ['device_token'],
      body: z.object({
        decision: z.enum(['approve', 'reject']),
        number: optional('The number on the other screen, where the prompt asks for one'),
      }),
      answers: { 204: { says: 'It is answered' } },
      examples: { reject: { path: { id: '<prompt>' }, body: { decision: 'reject' } } },
    },
  }),
})

async function answer(request: HttpRequest, runtime: Runtime): Promise<HttpResponse> {
  const { token } = await deviceOf(request, runtime)
  const { decision, number } = bodyParameters(request)
  if (decision !== 'approve' && decision !== 'reject')
    throw malformedParameter('decision', 'decision must be approve or reject')
  const counted = await answerPrompt(
    token,
    request.params.id ?? '',
    { approve: decision === 'approve', number },
    runtime,
  )
  if (!counted) throw notFound('There is no such prompt, it was answered, or the number was wrong and it is rejected')
  return empty(204)
}

async function deviceOf(request: HttpRequest, runtime: Runtime) {
  const token = bearerOf(request)
  const found = token === undefined ? null : await promptsOf(token, runtime)
  if (token === undefined || !found) throw invalidToken('Not the token of a device')
  return { token, prompts: found.prompts }
}
