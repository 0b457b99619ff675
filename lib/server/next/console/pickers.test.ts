import { expect, it, vi } from 'vitest'
import { PROVIDERS } from '../../../data/connections/upstream/providers'
import { operationNamed } from '../../../management/console-call'
import type { Console } from './page'
import { choicesOf } from './pickers'

const console = (may: boolean) =>
  ({ may: () => may, read: vi.fn(async () => [{ name: 'Users' }, { name: 'Staff' }]) }) as unknown as Console

const values = async (operation: string, member: string, may = true) =>
  (await choicesOf(operationNamed(operation), ['name', member], console(may)))[member]?.map(({ value }) => value)

it('offers every strategy that a connection can have, with all providers', async () => {
  const strategies = await values('connections.create', 'strategy')
  expect(strategies).toEqual(expect.arrayContaining(['auth0', 'email', 'sms', 'samlp', 'adfs']))
  expect(strategies).toEqual(expect.arrayContaining(Object.keys(PROVIDERS)))
})

it('offers the databases to a person who may read connections, and none to another', async () => {
  expect(await values('tenant_settings.update', 'default_directory')).toEqual(['Users', 'Staff'])
  expect(await values('tenant_settings.update', 'default_directory', false)).toEqual([])
})

it('offers no applications to a person who may not read them', async () => {
  expect(await values('connections.update', 'enabled_clients', false)).toBeUndefined()
})
