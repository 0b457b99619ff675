// POST /oidc/register (the contract's "Dynamic client registration"; RFC 7591), and with the registration access token GET, PUT
// and DELETE /oidc/register/{client_id} (RFC 7592).
// - Registration is open only if the tenant enables it. After it is disabled, registered clients can still be managed by their
//   owners.
// - Registrations are counted per network before the body is read: the endpoint is public, and every registration is a row.

import * as z from 'zod'
import { registrationMetadata } from '../../../data/clients/registration'
import { optional, text } from '../../../http/description'
import { defineEndpoint } from '../../../http/endpoint'
import { bearerOf } from '../../../http/headers'
import { empty, type HttpRequest, json, jsonMembers } from '../../../http/message'
import { oauthJson } from '../../../http/render-errors'
import { notFound } from '../../../kernel/errors'
import { lazy } from '../../../kernel/lazy'
import type { Runtime } from '../../runtime/runtime'

const loadRegistration = lazy(() => import('../../../protocols/oauth/registration'))

/** Fifty long URLs, and space for the other metadata. */
const MAX_METADATA = 64 * 1024

export const register = defineEndpoint<Runtime>({
  name: 'oidc.register',
  limit: 'register',
  shed: 'first',
  refused: 'change_refused',
  // Clients in a browser (MCP Inspector) register from their own page. No cookie counts here.
  cors: 'open',
  errors: oauthJson,
  maxBody: MAX_METADATA,
  describe: ({ baseUrl }) => ({
    tag: 'Registration',
    POST: {
      summary: 'Register a client (RFC 7591)',
      body: registrationMetadata(baseUrl),
      encoding: 'json',
      answers: { 201: { says: 'The client', schema: registeredClient() } },
      examples: { client: { body: METADATA } },
    },
  }),
  methods: {
    async POST(request, runtime) {
      if (!runtime.settings.tenant.flags.enable_dynamic_client_registration) {
        throw notFound('Dynamic client registration is not enabled', { reason: 'registration_disabled' })
      }
      return json(await registered(request, runtime), 201)
    },
  },
})

export const registration = defineEndpoint<Runtime>({
  name: 'oidc.registration',
  limit: 'registration',
  shed: 'last',
  refused: 'change_refused',
  cors: 'none',
  errors: oauthJson,
  maxBody: MAX_METADATA,
  describe: ({ baseUrl }) => {
    const caller = ['registration_token'] as const
    const path = { client_id: '<registered client>' }
    return {
      tag: 'Registration',
      GET: {
        summary: 'Read a registered client (RFC 7592)',
        caller,
        answers: { 200: { says: 'The client', schema: registeredClient() } },
        examples: { client: { path } },
      },
      PUT: {
        summary: 'Replace the metadata of a registered client',
        caller,
        body: registrationMetadata(baseUrl).extend({
          client_id: text('The client'),
          client_secret: optional('The secret that was issued'),
        }),
        encoding: 'json',
        answers: { 200: { says: 'The client', schema: registeredClient() } },
        examples: { client: { path, body: { ...METADATA, client_id: '<registered client>' } } },
      },
      DELETE: {
        summary: 'Remove a registered client',
        caller,
        answers: { 204: { says: 'It is removed' } },
        examples: { client: { path } },
      },
    }
  },
  methods: {
    async GET(request, runtime) {
      const { readRegistration } = await loadRegistration()
      return json(await readRegistration(clientIdOf(request), bearerOf(request), runtime))
    },
    async PUT(request, runtime) {
      const { replaceRegistration } = await loadRegistration()
      const replaced = await replaceRegistration(clientIdOf(request), bearerOf(request), jsonMembers(request), runtime)
      runtime.trail.record('changed', { change: `client replaced: ${replaced.client_id}` })
      return json(replaced)
    },
    async DELETE(request, runtime) {
      const { removeRegistration } = await loadRegistration()
      await removeRegistration(clientIdOf(request), bearerOf(request), runtime)
      runtime.trail.record('changed', { change: `client removed: ${clientIdOf(request)}` })
      return empty(204)
    },
  },
})

const METADATA = { client_name: 'A partner', redirect_uris: ['https://partner.example/callback'] }

const registeredClient = () =>
  z.looseObject({
    client_id: z.string(),
    client_id_issued_at: z.number(),
    client_name: z.string(),
    redirect_uris: z.array(z.string()),
    grant_types: z.array(z.string()),
    token_endpoint_auth_method: z.string(),
    client_secret: z.string().optional(),
    registration_access_token: z.string(),
    registration_client_uri: z.string(),
  })

async function registered(request: HttpRequest, runtime: Runtime) {
  const { registerClient } = await loadRegistration()
  const made = await registerClient(jsonMembers(request), runtime)
  runtime.trail.record('changed', { change: `client registered: ${made.client_id}` })
  return made
}

/** PostgreSQL text holds no NUL; no client id contains one. */
const clientIdOf = ({ params }: HttpRequest): string => params.client_id ?? ''
