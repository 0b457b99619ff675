import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { DEMO_USER } from './demo-users'
import { CLIENT_ID } from './sign-in'

it('offers a person and an app that the demo tenant has', async () => {
  const source = await readFile(new URL('../../prisma/demo-tenant.yaml', import.meta.url), 'utf8')
  const tenant: unknown = parse(source)
  expect(tenant).toMatchObject({
    users: expect.arrayContaining([expect.objectContaining(DEMO_USER)]),
    clients: expect.arrayContaining([expect.objectContaining({ client_id: CLIENT_ID })]),
  })
})
