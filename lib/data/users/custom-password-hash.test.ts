import { createHash, createHmac, pbkdf2Sync, scryptSync } from 'node:crypto'
import { hashSync } from '@node-rs/argon2'
import { describe, expect, it } from 'vitest'
import { bcryptPasswordHash, customPasswordHash } from './custom-password-hash'
import { createPasswordHasher } from './password'

const hasher = createPasswordHasher({ concurrency: 1, queueLimit: 100 })
const PASSWORD = 'pässwörd 1'
const sum = (algorithm: string, ...parts: (string | Buffer)[]) =>
  createHash(algorithm)
    .update(Buffer.concat(parts.map((part) => Buffer.from(part))))
    .digest()
const unpadded = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')

const store = (given: unknown) => hasher.keepImported(customPasswordHash.parse(given))
const reasonOf = (given: unknown) => customPasswordHash.safeParse(given).error?.issues[0]?.message

const salt = Buffer.from('00ff10a0', 'hex')

const GOOD: [string, unknown, string?][] = [
  [
    'md5 hex',
    { algorithm: 'md5', hash: { value: sum('md5', PASSWORD).toString('hex').toUpperCase(), encoding: 'hex' } },
  ],
  ['sha1 base64', { algorithm: 'sha1', hash: { value: sum('sha1', PASSWORD).toString('base64'), encoding: 'base64' } }],
  [
    'sha256 with a text salt before',
    {
      algorithm: 'sha256',
      hash: { value: sum('sha256', 'abc123', PASSWORD).toString('hex'), encoding: 'hex' },
      salt: { value: 'abc123' },
    },
  ],
  [
    'sha256 with a hex salt after',
    {
      algorithm: 'sha256',
      hash: { value: sum('sha256', PASSWORD, salt).toString('base64url'), encoding: 'base64' },
      salt: { value: salt.toString('hex'), encoding: 'hex', position: 'suffix' },
    },
  ],
  ['sha512', { algorithm: 'sha512', hash: { value: sum('sha512', PASSWORD).toString('hex'), encoding: 'hex' } }],
  [
    'sha1 of the UTF-16 password',
    {
      algorithm: 'sha1',
      hash: { value: sum('sha1', Buffer.from(PASSWORD, 'utf16le')).toString('hex'), encoding: 'hex' },
      password: { encoding: 'ucs2' },
    },
  ],
  [
    'md5 of the Latin-1 password',
    {
      algorithm: 'md5',
      hash: { value: sum('md5', Buffer.from(PASSWORD, 'latin1')).toString('hex'), encoding: 'hex' },
      password: { encoding: 'latin1' },
    },
  ],
  [
    'hmac',
    {
      algorithm: 'hmac',
      hash: {
        value: createHmac('sha384', Buffer.from('736868', 'hex')).update(PASSWORD).digest('base64'),
        encoding: 'base64',
        digest: 'sha384',
        key: { value: '736868', encoding: 'hex' },
      },
    },
  ],
  ['ldap SHA', { algorithm: 'ldap', hash: { value: `{SHA}${sum('sha1', PASSWORD).toString('base64')}` } }],
  ['ldap MD5', { algorithm: 'ldap', hash: { value: `{md5}${sum('md5', PASSWORD).toString('base64')}` } }],
  [
    'ldap SSHA384',
    {
      algorithm: 'ldap',
      hash: {
        value: `{SSHA384}${Buffer.concat([sum('sha384', PASSWORD, salt), salt]).toString('base64')}`,
        encoding: 'utf8',
      },
    },
  ],
  [
    'pbkdf2',
    {
      algorithm: 'pbkdf2',
      hash: {
        value: `$pbkdf2-sha256$i=2000,l=32$${unpadded(salt)}$${unpadded(pbkdf2Sync(PASSWORD, salt, 2000, 32, 'sha256'))}`,
      },
    },
  ],
  [
    'pbkdf2 with the default iterations and length',
    {
      algorithm: 'pbkdf2',
      hash: {
        value: `$pbkdf2-RSA-SHA512$${unpadded(salt)}$${unpadded(pbkdf2Sync(PASSWORD, salt, 100000, 64, 'sha512'))}`,
      },
    },
  ],
  [
    'scrypt',
    {
      algorithm: 'scrypt',
      hash: { value: scryptSync(PASSWORD, 'abc123', 32, { N: 4096 }).toString('hex'), encoding: 'hex' },
      salt: { value: 'abc123', encoding: 'utf8' },
      keylen: 32,
      cost: 4096,
    },
  ],
  [
    'scrypt with every parameter',
    {
      algorithm: 'scrypt',
      hash: {
        value: scryptSync(PASSWORD, salt, 64, { N: 65536, r: 8, p: 2, maxmem: 256 << 20 }).toString('base64'),
        encoding: 'base64',
      },
      salt: { value: salt.toString('base64'), encoding: 'base64' },
      keylen: 64,
      cost: 65536,
      blockSize: 8,
      parallelization: 2,
    },
  ],
  ['argon2id', { algorithm: 'argon2', hash: { value: hashSync(PASSWORD, { memoryCost: 4096, timeCost: 3 }) } }],
  // 1 is Argon2i; 2 is Argon2id.
  [
    'argon2i',
    { algorithm: 'argon2', hash: { value: hashSync(PASSWORD, { memoryCost: 4096, algorithm: 1 }), encoding: 'utf8' } },
  ],
  // From the vendor's documentation.
  [
    'bcrypt',
    { algorithm: 'bcrypt', hash: { value: '$2b$10$nFguVi9LsCAcvTZFKQlRKeLVydo8ETv483lkNsSFI/Wl1Rz1Ypo1K' } },
    'hello',
  ],
  [
    'bcrypt $2a$',
    { algorithm: 'bcrypt', hash: { value: '$2a$10$nFguVi9LsCAcvTZFKQlRKeLVydo8ETv483lkNsSFI/Wl1Rz1Ypo1K' } },
    'hello',
  ],
  [
    'bcrypt $2y$',
    { algorithm: 'bcrypt', hash: { value: '$2y$10$nFguVi9LsCAcvTZFKQlRKeLVydo8ETv483lkNsSFI/Wl1Rz1Ypo1K' } },
    'hello',
  ],
  [
    'bcrypt with a salt of its own',
    {
      algorithm: 'bcrypt',
      hash: { value: '$2b$10$nFguVi9LsCAcvTZFKQlRKeLVydo8ETv483lkNsSFI/Wl1Rz1Ypo1K' },
      salt: { value: 'he' },
    },
    'llo',
  ],
]

describe('imported hashes', () => {
  it.each(GOOD)(
    '%s verifies, asks for a re-hash, and refuses another password',
    async (_, given, password = PASSWORD) => {
      const stored = await store(given)
      expect(await hasher.verify(stored, password)).toEqual({ ok: true, rehash: true })
      expect(await hasher.verify(stored, `${password}x`)).toEqual({ ok: false, rehash: false })
    },
  )

  it('reads password_hash as bcrypt', async () => {
    const hash = bcryptPasswordHash.parse('$2b$10$nFguVi9LsCAcvTZFKQlRKeLVydo8ETv483lkNsSFI/Wl1Rz1Ypo1K')
    expect(await hasher.verify(await hasher.keepImported(hash), 'hello')).toEqual({ ok: true, rehash: true })
    expect(bcryptPasswordHash.safeParse('5f4dcc3b5aa765d61d8327deb882cf99').success).toBe(false)
  })

  it('keeps no fast digest at rest', async () => {
    const digest = sum('md5', PASSWORD)
    const stored = await store({ algorithm: 'md5', hash: { value: digest.toString('hex'), encoding: 'hex' } })
    expect(stored).toContain('$argon2id$')
    expect(stored).not.toContain(digest.toString('hex'))
    expect(stored).not.toContain(digest.toString('base64'))
  })

  it('never matches a password that the original encoding cannot write', async () => {
    const stored = await store({
      algorithm: 'md5',
      hash: { value: sum('md5', Buffer.from('A')).toString('hex'), encoding: 'hex' },
      password: { encoding: 'latin1' },
    })
    expect((await hasher.verify(stored, '\u0141')).ok).toBe(false)
    expect((await hasher.verify(stored, 'A')).ok).toBe(true)
  })
})

const md5 = { value: '00'.repeat(16), encoding: 'hex' }

describe('unusable hashes are refused with the reason', () => {
  it.each([
    ['md4', { algorithm: 'md4', hash: md5 }, /md4/],
    ['no encoding', { algorithm: 'md5', hash: { value: md5.value } }, /hex or base64/],
    ['wrong length', { algorithm: 'sha256', hash: md5 }, /16 bytes long, expected 32/],
    ['no hex', { algorithm: 'md5', hash: { value: 'zz', encoding: 'hex' } }, /not valid hex/],
    ['hmac without key', { algorithm: 'hmac', hash: { ...md5, digest: 'md5' } }, /hash\.key/],
    [
      'hmac of whirlpool',
      { algorithm: 'hmac', hash: { ...md5, digest: 'whirlpool', key: { value: 'k' } } },
      /hash\.digest/,
    ],
    ['ldap crypt', { algorithm: 'ldap', hash: { value: '{CRYPT}$6$abc$def' } }, /ldap/],
    ['unsalted ldap of the wrong length', { algorithm: 'ldap', hash: { value: '{SHA}AAAA' } }, /ldap/],
    ['pbkdf2 of md4', { algorithm: 'pbkdf2', hash: { value: '$pbkdf2-md4$i=1,l=3$AAAA$AAAA' } }, /pbkdf2/],
    [
      'pbkdf2 whose length differs',
      { algorithm: 'pbkdf2', hash: { value: '$pbkdf2-md5$i=1,l=4$AAAA$AAAA' } },
      /pbkdf2/,
    ],
    [
      'endless pbkdf2',
      { algorithm: 'pbkdf2', hash: { value: '$pbkdf2-md5$i=99999999,l=3$AAAA$AAAA' } },
      /i is 99999999/,
    ],
    ['scrypt without keylen', { algorithm: 'scrypt', hash: md5 }, /keylen/],
    ['scrypt of an odd cost', { algorithm: 'scrypt', hash: md5, keylen: 16, cost: 1000 }, /power of two/],
    ['huge scrypt', { algorithm: 'scrypt', hash: md5, keylen: 16, cost: 1 << 24 }, /accepted/],
    ['old bcrypt', { algorithm: 'bcrypt', hash: { value: `$2x$10$${'a'.repeat(53)}` } }, /\$2y\$/],
    ['endless bcrypt', { algorithm: 'bcrypt', hash: { value: `$2b$31$${'a'.repeat(53)}` } }, /cost is 31/],
    ['invalid argon2', { algorithm: 'argon2', hash: { value: '$argon2id$nonsense' } }, /PHC/],
    ['argon2 with a salt', { algorithm: 'argon2', hash: { value: hashSync('x') }, salt: { value: 'x' } }, /salt/],
    ['an unknown field', { algorithm: 'md5', hash: md5, pepper: 'x' }, /pepper/],
  ])('a hash is refused: %s', (_, given, reason) => {
    expect(reasonOf(given)).toMatch(reason)
  })
})
