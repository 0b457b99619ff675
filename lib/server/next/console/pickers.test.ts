import { expect, it, vi } from 'vitest'
import { PROVIDERS } from '../../../data/connections/upstream/providers'
import { operationNamed } from '../../../management/console-call'
import type { Console } from './page'
import { choicesOf, type MemberChoice } from './pickers'

const console = (may: boolean) =>
  ({ may: () => may, read: vi.fn(async () => [{ name: 'Users' }, { name: 'Staff' }]) }) as unknown as Console

const values = async (operation: string, member: string, may = true) =>
  optionsIn((await choicesOf(operationNamed(operation), ['name', member], console(may)))[member])?.map(
    ({ value }) => value,
  )

const optionsIn = (choice: MemberChoice | undefined) => (choice && 'search' in choice ? choice.names : choice)

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

it('looks for users by name, and leaves a plain text to a person who may not read them', async () => {
  const choices = await choicesOf(operationNamed('organizations.members.add'), ['members'], console(true))
  expect(choices.members).toEqual({ search: 'users', names: [] })
  expect(await choicesOf(operationNamed('organizations.members.add'), ['members'], console(false))).toEqual({})
})

it('looks for the API of each row', async () => {
  const choices = await choicesOf(operationNamed('roles.permissions.add'), ['permissions'], console(true))
  expect(choices['permissions.resource_server_identifier']).toEqual({ search: 'apis', names: [] })
})
