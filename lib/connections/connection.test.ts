import { describe, expect, it } from 'vitest'
import { sampleClient } from '../testing/samples'
import { chooseConnection, chooseRealm, toConnection } from './connection'

const connection = (name: string, settings: Record<string, unknown> = {}) =>
  toConnection({ id: `con_${name}`, name, strategy: 'auth0', settings })
const own = sampleClient({}, 'own')
const stranger = sampleClient({ is_first_party: false }, 'stranger')
const nameFor = (client: typeof own, ...connections: ReturnType<typeof connection>[]) =>
  chooseConnection(connections, client, undefined, undefined)?.name

describe('the clients that may use a connection', () => {
  it('are all clients if none are listed, otherwise the listed ones', () => {
    expect([nameFor(own, connection('A')), nameFor(stranger, connection('A'))]).toEqual(['A', 'A'])
    const listed = connection('A', { enabled_clients: ['own'] })
    expect([nameFor(own, listed), nameFor(stranger, listed)]).toEqual(['A', undefined])
  })

  it('exclude dynamically registered clients, unless listed or the connection is open to the whole domain', () => {
    const registered = { ...stranger, isRegistered: true }
    expect(nameFor(registered, connection('A'))).toBeUndefined()
    expect(chooseRealm([connection('A')], registered, 'A')).toBeNull()
    expect(nameFor(registered, connection('A', { enabled_clients: ['stranger'] }))).toBe('A')
    expect(nameFor(registered, connection('A', { is_domain_connection: true }))).toBe('A')
  })

  it('is every third party too where it is the whole domain’s, and no other application of ours', () => {
    const domain = connection('A', { enabled_clients: ['other'], is_domain_connection: true })
    expect([nameFor(own, domain), nameFor(stranger, domain)]).toEqual([undefined, 'A'])
    expect(chooseRealm([domain], stranger, 'A')?.name).toBe('A')
    expect(chooseRealm([domain], own, 'A')).toBeNull()
  })
})

it('is the one that is named, or the default, or the first', () => {
  const all = [connection('A'), connection('B')]
  expect(chooseConnection(all, own, 'B', 'A')?.name).toBe('B')
  expect(chooseConnection(all, own, 'C', 'A')).toBeNull()
  expect(chooseConnection(all, own, undefined, 'B')?.name).toBe('B')
  expect(chooseConnection(all, own, undefined, 'C')?.name).toBe('A')
})
