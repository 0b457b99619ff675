import { describe, expect, it } from 'vitest'
import { databaseAddressProblem, hasSchema, sessionOf } from './database-address'

const BASE = 'postgresql://u:p%40ss@db.test:5432/latchkey'

describe('the address of a database', () => {
  it.each([
    BASE,
    'postgres://localhost/latchkey',
    'postgresql:///latchkey?host=/var/run/postgresql',
    'postgresql://u:p@[fd00::1]:5432/latchkey',
    'postgresql://u:with,comma@db.test/latchkey',
    `${BASE}?sslmode=require&channel_binding=require`,
    ...['disable', 'allow', 'prefer', 'verify-ca', 'verify-full', 'no-verify'].map((mode) => `${BASE}?sslmode=${mode}`),
    `${BASE}?ssl=true`,
    `${BASE}?schema=auth`,
    `${BASE}?options=-c%20search_path%3Dauth`,
    `${BASE}?pgbouncer=true&connection_limit=5`,
  ])('can be used: %s', (address) => {
    expect(databaseAddressProblem(address)).toBeNull()
  })

  it.each([
    ['postgresql://u:p@one.test:5432,two.test:5432/latchkey', /^names several hosts/],
    ['postgresql://u:p@one.test,two.test/latchkey', /^names several hosts/],
    ['postgresql://one.test,two.test/latchkey?target_session_attrs=read-write', /^names several hosts/],
    ['postgresql://[fd00::1]:5432,[fd00::2]:5432/latchkey', /^names several hosts/],
    ['postgresql:///latchkey?host=one.test,two.test', /^names several hosts/],
    ['postgresql://u:p@one.test/latchkey?port=5432,5433', /^names several hosts/],
    [`${BASE}?sslmode=required`, /^has an unknown sslmode/],
    [`${BASE}?sslmode=`, /^has an unknown sslmode/],
    [`${BASE}?sslmode=Require`, /^has an unknown sslmode/],
    [`${BASE}?ssl=yes`, /^has an unknown value of ssl/],
    [`${BASE}?ssl=false`, /^has an unknown value of ssl/],
    [`${BASE}?sslmode=verify-full&sslrootcert=/nowhere/ca.pem`, /^names a file in sslrootcert that cannot be read/],
    [`${BASE}?sslcert=/nowhere/client.pem`, /^names a file in sslcert/],
    [`${BASE}?schema=my%20schema`, /^has a schema that is no plain name/],
    [`${BASE}?schema=`, /^has a schema that is no plain name/],
    [`${BASE}?schema=a%22b`, /^has a schema that is no plain name/],
    [`${BASE}?schema=auth&options=-c%20search_path%3Dother`, /^has a schema and a search_path/],
    ['jdbc:postgresql://db.test/latchkey', /^must be a URL such as/],
    ['mysql://db.test/latchkey', /^must be a URL such as/],
    ['host=db.test dbname=latchkey', /^must be a URL such as/],
    ['postgresql://u:p@db.test/\nlatchkey', /^must be a URL such as/],
    ['postgresql://u:p@db.test:port/latchkey', /^must be a URL such as/],
  ])('cannot be used: %s', (address, problem) => {
    expect(databaseAddressProblem(address)).toMatch(problem)
  })
})

describe('a session', () => {
  it('starts with the defaults', () => {
    expect(sessionOf(BASE, '-c lock_timeout=3s')).toEqual({ address: BASE, options: '-c lock_timeout=3s' })
  })

  it('has what the address says after them, which is then no parameter of the address', () => {
    expect(sessionOf(`${BASE}?schema=auth&sslmode=require`, '-c lock_timeout=3s')).toEqual({
      address: `${BASE}?sslmode=require`,
      options: '-c lock_timeout=3s -c search_path="auth"',
    })
    expect(sessionOf(`${BASE}?options=-c%20search_path%3Dauth`, '-c lock_timeout=3s')).toEqual({
      address: BASE,
      options: '-c lock_timeout=3s -c search_path=auth',
    })
  })

  it('has a schema that only Prisma knows', () => {
    expect([hasSchema(`${BASE}?schema=auth`), hasSchema(BASE)]).toEqual([true, false])
  })
})
