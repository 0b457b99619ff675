// GET and POST /me/v1/identities, DELETE /me/v1/identities/{id}: the accounts that sign in to the caller's user (docs/my-account.md). Ours, in
// the shape of the vendor's API. An account of another person answers as if it did not exist (threat-model.md MA1).
import * as z from 'zod'
import { type PresentedIdentity, presentIdentities, subjectOf } from '../../../data/users/profile'
import { empty, json, jsonMembers } from '../../../http/message'
import { notFound } from '../../../kernel/errors'
import { once } from '../../../kernel/lazy'
import type { MyAccountCall } from '../../my-account/kinds/kind'
import { changing, defineMyAccountEndpoint, reading } from '../../my-account/my-account-endpoint'
import { readBody } from '../../my-account/read-body'
import { linkAccount, unlinkAccount } from '../../requests/linking'

const READ = 'read:me:identities'
const UPDATE = 'update:me:identities'

const linkBody = once(() =>
  z.strictObject({
    link_with: z.string().min(1).max(20_000).meta({ description: 'A recent ID token of the other account' }),
  }),
)

const answered = (says: string) => ({
  says,
  schema: z.object({
    identities: z.array(
      z.looseObject({
        id: z.string(),
        connection: z.string(),
        provider: z.string(),
        user_id: z.string(),
        isSocial: z.boolean(),
      }),
    ),
  }),
})

export const myIdentities = defineMyAccountEndpoint(
  'me.identities',
  {
    async GET(request, runtime, count) {
      return json({ identities: await identitiesOf(await reading(READ, request, runtime, count)) })
    },
    async POST(request, runtime, count) {
      const call = await changing(UPDATE, request, runtime, count)
      const { link_with } = readBody(linkBody(), jsonMembers(request))
      return json({ identities: (await linkAccount(call, link_with, runtime)).map(withId) }, 201)
    },
  },
  () => ({
    GET: {
      summary: 'List the linked accounts of the person',
      caller: ['access_token'],
      scopes: [READ],
      answers: { 200: answered('The accounts') },
      examples: { all: {} },
    },
    POST: {
      summary: 'Link a second account to the one of the person',
      caller: ['access_token'],
      scopes: [UPDATE],
      body: linkBody(),
      encoding: 'json',
      answers: { 201: answered('The accounts with the new one') },
      examples: { account: { body: { link_with: '<ID token of the other account>' } } },
    },
  }),
)

export const myIdentity = defineMyAccountEndpoint(
  'me.identity',
  {
    async DELETE(request, runtime, count) {
      const call = await changing(UPDATE, request, runtime, count)
      const found = (await identitiesOf(call)).find(({ id }) => id === request.params.id)
      if (!found) throw notFound('No such account is linked')
      await unlinkAccount(call, { provider: found.provider, providerUserId: found.user_id }, runtime)
      return empty(204)
    },
  },
  () => ({
    DELETE: {
      summary: 'Unlink an account of the person',
      caller: ['access_token'],
      scopes: [UPDATE],
      answers: { 204: { says: 'It is unlinked' } },
      examples: { account: { path: { id: '<linked identity>' } } },
    },
  }),
)

const withId = (identity: PresentedIdentity) => ({
  id: subjectOf({ provider: identity.provider, providerUserId: identity.user_id }),
  ...identity,
})

async function identitiesOf({ user, runtime }: MyAccountCall) {
  const found = await runtime.profiles.find(user.id)
  return presentIdentities(found?.identities ?? []).map(withId)
}
