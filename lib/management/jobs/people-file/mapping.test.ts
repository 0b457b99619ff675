import { describe, expect, it } from 'vitest'
import { isJsonObject, type JsonObject } from '../../../kernel/json'
import { userEntry } from '../../tenant-file/sections/user-entry'
import { guessMapping, isTarget, mappedEntry } from './mapping'
import { flattened, productOf } from './products'

/** What the file of a product becomes without a change by a person. */
function entryOf(record: JsonObject): { product: string; entry: JsonObject } {
  const product = productOf(record)
  const flat = flattened(product, record)
  return { product: product.name, entry: mappedEntry(flat, guessMapping(Object.keys(flat), product.name)) }
}

const BCRYPT = `$2b$10$${'a'.repeat(53)}`

describe('what a file of a product becomes', () => {
  it('takes the export of Auth0 with its ids', () => {
    const record = { user_id: 'auth0|1', email: 'a@x.test', email_verified: true, identities: [], logins_count: 3 }
    expect(entryOf({ ...record, user_metadata: { a: 1 } })).toEqual({
      product: 'auth0',
      entry: { user_id: 'auth0|1', email: 'a@x.test', email_verified: true, user_metadata: { a: 1 } },
    })
  })

  it.each([
    [{ alt_id: 'old' }, 'auth0|old'],
    [{}, 'auth0|5f00'],
  ])('joins a hash of Auth0 by its id', (more, id) => {
    const identifiers = [{ type: 'email', value: 'a@x.test', verified: true }]
    expect(entryOf({ _id: { $oid: '5f00' }, identifiers, passwordHash: BCRYPT, tenant: 't', ...more })).toEqual({
      product: 'auth0-hashes',
      entry: { user_id: id, email: 'a@x.test', email_verified: true, password_hash: BCRYPT },
    })
  })

  it('keeps people of Okta, Firebase, Keycloak and Supabase out who were kept out there', () => {
    const okta = { id: '00u1', status: 'SUSPENDED', profile: { email: 'a@x.test', firstName: 'A', login: 'a' } }
    expect(entryOf(okta).entry).toEqual({ user_id: '00u1', email: 'a@x.test', given_name: 'A', blocked: true })
    const firebase = { localId: 'f1', email: 'a@x.test', disabled: true, createdAt: '1700000000000', passwordHash: 'x' }
    expect(entryOf(firebase).entry).toEqual({
      ...{ user_id: 'f1', email: 'a@x.test', blocked: true, created_at: '2023-11-14T22:13:20.000Z' },
    })
    const keycloak = { id: 'k1', username: 'a', enabled: false, createdTimestamp: 1700000000000 }
    expect(entryOf(keycloak).entry).toMatchObject({ username: 'a', blocked: true })
    const supabase = { id: 's1', email: 'a@x.test', encrypted_password: BCRYPT, banned_until: '2099-01-01 00:00:00+00' }
    expect(entryOf(supabase).entry).toMatchObject({ blocked: true, password_hash: BCRYPT })
  })

  it('takes passwords and authenticator apps of Keycloak along', () => {
    const password = {
      type: 'password',
      credentialData: JSON.stringify({ algorithm: 'pbkdf2-sha256', hashIterations: 27500 }),
      secretData: JSON.stringify({ value: Buffer.alloc(64, 1).toString('base64'), salt: 'c2FsdHNhbHRzYWx0c2E=' }),
    }
    const data = { subType: 'totp', digits: 6, period: 30, algorithm: 'HmacSHA1' }
    const otp = {
      type: 'otp',
      credentialData: JSON.stringify(data),
      secretData: JSON.stringify({ value: 'a secret of twenty b' }),
    }
    const other = { ...otp, credentialData: JSON.stringify({ ...data, digits: 8 }) }
    const record = { id: 'k1', username: 'a', email: 'a@x.test', enabled: true, createdTimestamp: 1700000000000 }
    const { entry } = entryOf({ ...record, credentials: [password, otp, other] })
    expect(entry.mfa_factors).toHaveLength(1)
    expect(entry.custom_password_hash).toMatchObject({ algorithm: 'pbkdf2' })
    expect(userEntry.safeParse(entry).error?.issues).toBeUndefined()
  })

  it('takes an argon2 password of Keycloak along', () => {
    const parameters = { memory: ['7168'], parallelism: ['1'], type: ['id'] }
    const credentials = [
      {
        type: 'password',
        credentialData: JSON.stringify({ algorithm: 'argon2', hashIterations: 5, additionalParameters: parameters }),
        secretData: JSON.stringify({ value: Buffer.alloc(32, 1).toString('base64'), salt: 'c2FsdHNhbHRzYWx0c2E=' }),
      },
    ]
    const { entry } = entryOf({ username: 'a', enabled: true, createdTimestamp: 1, credentials })
    expect(userEntry.safeParse({ ...entry, created_at: undefined }).error?.issues).toBeUndefined()
  })

  it('takes people of Clerk and Cognito', () => {
    const clerk = { id: 'user_1', primary_email_address: 'a@x.test', verified_email_addresses: 'b@x.test|a@x.test' }
    expect(
      entryOf({ ...clerk, password_digest: BCRYPT, password_hasher: 'bcrypt', totp_secret: 'abcd efgh' }).entry,
    ).toEqual({
      ...{ user_id: 'user_1', email: 'a@x.test', email_verified: true, password_hash: BCRYPT },
      mfa_factors: [{ totp: { secret: 'ABCDEFGH' } }],
    })
    const attributes = [
      { Name: 'sub', Value: 'c-1' },
      { Name: 'email', Value: 'a@x.test' },
      { Name: 'email_verified', Value: 'true' },
    ]
    expect(entryOf({ Username: 'x', Attributes: attributes, Enabled: false }).entry).toEqual({
      ...{ user_id: 'c-1', email: 'a@x.test', email_verified: true, blocked: true },
    })
  })

  it('guesses the columns of a CSV by their names, each member once', () => {
    const columns = ['E-Mail', 'First Name', 'Last Name', 'mail', 'shoe size', 'user_metadata.plan']
    expect(guessMapping(columns, 'other')).toEqual({
      ...{ 'E-Mail': 'email', 'First Name': 'given_name', 'Last Name': 'family_name', mail: '', 'shoe size': '' },
      'user_metadata.plan': 'user_metadata.plan',
    })
  })
})

describe('the values of a CSV', () => {
  const one = (target: string, value: string): unknown => {
    const entry = mappedEntry({ column: value }, { column: target })
    return Object.values(entry)[0]
  }

  it.each([
    ['email_verified', 'TRUE', true],
    ['email_verified', 'f', false],
    ['email_verified', '2024-01-01 10:00:00+00', true],
    ['blocked', 'maybe', 'maybe'],
    ['active', 'no', true],
    ['active', 'yes', false],
    ['active', 'ACTIVE?', 'ACTIVE?'],
    ['created_at', '1700000000', '2023-11-14T22:13:20.000Z'],
    ['created_at', '2023-11-14 22:13:20', '2023-11-14T22:13:20.000Z'],
    ['created_at', '2023-11-14 22:13:20+00', '2023-11-14T22:13:20.000Z'],
    ['created_at', '2023-11-14', '2023-11-14T00:00:00.000Z'],
    ['created_at', 'yesterday', 'yesterday'],
    ['roles', 'Editor; Viewer', ['Editor', 'Viewer']],
    ['user_metadata', '{"a":1}', { a: 1 }],
    ['user_metadata', 'no object', 'no object'],
    ['user_metadata.plan', 'gold', { plan: 'gold' }],
    ['password_hash', '{SSHA}abc', { algorithm: 'ldap', hash: { value: '{SSHA}abc', encoding: 'utf8' } }],
  ])('become what an import reads: %s of %j', (target, value, read) => {
    expect(one(target, value)).toEqual(read)
  })

  it('are left out where they are empty, and gathered within the metadata', () => {
    const record = { a: '', b: 'x', c: 'y', d: null }
    const mapping = { a: 'email', b: 'user_metadata.b', c: 'user_metadata.c', d: 'name' }
    expect(mappedEntry(record, mapping)).toEqual({ user_metadata: { b: 'x', c: 'y' } })
  })

  it.each([['constructor'], ['password'], ['user_metadata.__proto__'], ['connection'], ['user_metadata.']])(
    'become no %s',
    (target) => {
      expect(isTarget(target)).toBe(false)
    },
  )

  it('become an object without a prototype of another', () => {
    expect(isJsonObject(mappedEntry({}, {}))).toBe(true)
  })
})
