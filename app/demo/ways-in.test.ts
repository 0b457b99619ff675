import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../lib/management/tenant-file/model'
import { readTenantFile } from '../../lib/management/tenant-file/read'
import { DEMO_ACCOUNTS } from '../../lib/server/runtime/demo-tenants'
import { GROUPS, ORGANIZATION, PASSWORD, PEOPLE, plainLink, TOTP_KEY } from './ways-in'

const VARIABLES = { APP_URL: 'http://localhost:3000', DEMO_PROVIDER_URL: 'http://acme.localhost:3000' }

const tenant = async (name: string): Promise<JsonObject> =>
  readTenantFile(name, await readFile(new URL(`../../prisma/${name}`, import.meta.url), 'utf8'), VARIABLES)

describe('the demo page', () => {
  it('offers users, applications and connections that exist in the demo tenants', async () => {
    const demo = await tenant('demo-tenant.yaml')
    const provider = await tenant('demo-acme.yaml')
    const includes = (all: object[]) => expect.arrayContaining(all.map((each) => expect.objectContaining(each)))
    expect(demo.users).toEqual(includes(PEOPLE.demo))
    expect(provider.users).toEqual(includes(PEOPLE.provider))
    const ways = [PASSWORD, ...GROUPS.flatMap(({ walks }) => walks)]
    expect(demo.clients).toEqual(includes(ways.map(({ clientId }) => ({ client_id: clientId }))))
    const named = ways.flatMap((way) =>
      'parameters' in way && way.parameters.connection ? [{ name: way.parameters.connection }] : [],
    )
    expect(named).toHaveLength(4)
    expect(demo.organizations).toMatchObject([{ name: ORGANIZATION }])
    expect(demo.connections).toEqual(includes(named))
    expect(JSON.stringify(demo.users)).toContain(`{"totp":{"secret":"${TOTP_KEY}"}}`)
  })

  it('knows every account whose password is public', async () => {
    const { users } = await tenant('demo-tenant.yaml')
    const ids = (users as JsonObject[]).map(({ user_id }) => `auth0|${user_id}`)
    expect(ids.toSorted()).toEqual(DEMO_ACCOUNTS.toSorted())
  })

  it('links to a login without scripts', () => {
    const url = new URL(plainLink(PASSWORD, 'http://localhost:3000/demo'), 'http://localhost:3000')
    expect(url.pathname).toBe('/authorize')
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      client_id: 'demo-app',
      redirect_uri: 'http://localhost:3000/demo',
      response_type: 'code',
      code_challenge_method: 'S256',
    })
  })
})
