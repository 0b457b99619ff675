import { expect, it } from 'vitest'
import { isDirectAddress } from './direct-address'

it.each([
  ['postgresql://u:p@ep-cool-name-123.eu-central-1.aws.neon.tech/latchkey', true],
  ['postgresql://u:p@ep-cool-name-123-pooler.eu-central-1.aws.neon.tech/latchkey', false],
  ['postgresql://u:p@db.abcdefgh.supabase.co:5432/postgres', true],
  ['postgresql://u:p@db.abcdefgh.supabase.co:6543/postgres', false],
  ['postgresql://u.abcdefgh:p@aws-0-eu-central-1.pooler.supabase.com:5432/postgres', true],
  ['postgresql://u.abcdefgh:p@aws-0-eu-central-1.pooler.supabase.com:6543/postgres', false],
  ['postgresql://u:p@pgbouncer.example.com:6432/latchkey', false],
  ['postgresql://u:p@evil-neon.tech.example.com/latchkey', false],
])('the address %s is one of the database itself: %s', (url, direct) => {
  expect(isDirectAddress(url)).toBe(direct)
})
