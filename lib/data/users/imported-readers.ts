// One reader per algorithm of the vendor's `custom_password_hash`; each returns a verifiable hash.
// - Hashes that cannot be verified here (md4, whirlpool, mdc2, LDAP crypt) are refused with the reason, not stored.
// - Work factors are bounded: one import must not let every login of that user occupy the server for seconds.
import { parseOptions } from '@node-rs/argon2'
import type { CustomPasswordHash as Given } from './custom-password-hash'
import { DIGESTS, type DigestName, digestLength, isDigestName, type Salt } from './imported-digest'
import type { ImportedHash } from './imported-hash'
import { decodeText, parseLdap, parsePbkdf2, type TextEncoding } from './imported-text'

const MAX_BCRYPT_COST = 14
const MAX_ARGON2 = { memoryCost: 262144, timeCost: 16, parallelism: 16 }
const MAX_PBKDF2_ITERATIONS = 2_000_000
const MAX_SCRYPT_BYTES = 256 * 1024 * 1024

/** The hash can never be verified here; the message is reported with its path in the file. */
export class Unusable extends Error {}

export const READERS: Record<Given['algorithm'], (given: Given) => ImportedHash> = {
  argon2: readArgon2,
  bcrypt: readBcrypt,
  hmac: readHmac,
  ldap: readLdap,
  md4: () => refuse('md4 hashes are not supported: the cryptographic library no longer has md4'),
  md5: readDigest('md5'),
  sha1: readDigest('sha1'),
  sha256: readDigest('sha256'),
  sha512: readDigest('sha512'),
  pbkdf2: readPbkdf2,
  scrypt: readScrypt,
}

function readBcrypt(given: Given): ImportedHash {
  const hash = plainText(given)
  const cost = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/.exec(hash)?.[1]
  if (cost === undefined) refuse('a bcrypt hash has 60 characters and begins with $2a$, $2b$ or $2y$')
  bound('cost', Number(cost), MAX_BCRYPT_COST, 4)
  return { recipe: { kind: 'bcrypt', hash, encoding: given.password.encoding, salt: saltOf(given) } }
}

function readArgon2(given: Given): ImportedHash {
  noSalt(given)
  if (given.password.encoding !== 'utf8') refuse('password.encoding of argon2 must be utf8')
  const hash = plainText(given)
  const used = argon2Options(hash)
  bound('m', used.memoryCost, MAX_ARGON2.memoryCost)
  bound('t', used.timeCost, MAX_ARGON2.timeCost)
  bound('p', used.parallelism, MAX_ARGON2.parallelism)
  return { recipe: { kind: 'argon2', hash, encoding: 'utf8' } }
}

function argon2Options(hash: string): ReturnType<typeof parseOptions> {
  try {
    return parseOptions(hash)
  } catch {
    return refuse('an argon2 hash is written as a PHC string: $argon2id$v=19$m=…,t=…,p=…$salt$hash')
  }
}

function readDigest(digest: DigestName): (given: Given) => ImportedHash {
  return (given) => ({
    recipe: { kind: 'digest', digest, encoding: given.password.encoding, salt: saltOf(given) },
    digest: digestBytes(given, digest),
  })
}

function readHmac(given: Given): ImportedHash {
  const { digest = '', key } = given.hash
  if (!isDigestName(digest)) return refuse(`hash.digest of an hmac must be one of ${DIGESTS.join(', ')}`)
  if (!key) return refuse('an hmac needs hash.key')
  return {
    recipe: {
      kind: 'digest',
      digest,
      encoding: given.password.encoding,
      salt: saltOf(given),
      key: decode('hash.key', key.value, key.encoding).toString('base64'),
    },
    digest: digestBytes(given, digest),
  }
}

function readLdap(given: Given): ImportedHash {
  noSalt(given)
  const parsed = parseLdap(plainText(given))
  if (!parsed) return refuse('an ldap hash is {SCHEME}base64 with a scheme of the md5, smd5, sha or ssha family')
  const { digest, scheme, salt } = parsed
  return {
    recipe: {
      kind: 'digest',
      digest: scheme,
      encoding: given.password.encoding,
      salt: salt.length === 0 ? undefined : { value: salt.toString('base64'), position: 'suffix' },
    },
    digest,
  }
}

function readPbkdf2(given: Given): ImportedHash {
  noSalt(given)
  const parsed = parsePbkdf2(plainText(given))
  if (!parsed) return refuse('a pbkdf2 hash is a PHC string, $pbkdf2-<digest>$i=…,l=…$salt$hash, of a supported digest')
  bound('i', parsed.iterations, MAX_PBKDF2_ITERATIONS)
  return { recipe: { kind: 'pbkdf2', encoding: given.password.encoding, ...parsed } }
}

function readScrypt(given: Given): ImportedHash {
  const { cost: N, blockSize: r, parallelization: p, keylen } = given
  if (keylen === undefined) return refuse('an scrypt hash needs keylen')
  if ((N & (N - 1)) !== 0) return refuse('the cost of an scrypt hash is a power of two')
  bound('cost × blockSize', 128 * N * r, MAX_SCRYPT_BYTES)
  const hash = rawBytes(given, keylen).toString('base64')
  return {
    recipe: { kind: 'scrypt', hash, salt: saltOf(given)?.value ?? '', encoding: given.password.encoding, N, r, p },
  }
}

function refuse(reason: string): never {
  throw new Unusable(reason)
}

function bound(name: string, value: number, most: number, least = 1): void {
  if (value < least || value > most) refuse(`${name} is ${value}, accepted is ${least} to ${most}`)
}

function noSalt(given: Given): void {
  if (given.salt) refuse(`${given.algorithm} carries its salt in hash.value; a separate salt is not allowed`)
}

function plainText({ algorithm, hash }: Given): string {
  if (hash.encoding !== undefined && hash.encoding !== 'utf8') refuse(`hash.encoding of ${algorithm} must be utf8`)
  return hash.value
}

const digestBytes = (given: Given, digest: DigestName): Buffer => rawBytes(given, digestLength(digest))

function rawBytes({ algorithm, hash }: Given, length: number): Buffer {
  if (hash.encoding !== 'hex' && hash.encoding !== 'base64')
    return refuse(`hash.encoding of ${algorithm} must be hex or base64`)
  const bytes = decode('hash.value', hash.value, hash.encoding)
  return bytes.length === length ? bytes : refuse(`hash.value is ${bytes.length} bytes long, expected ${length}`)
}

function decode(name: string, value: string, encoding: TextEncoding): Buffer {
  return decodeText(value, encoding) ?? refuse(`${name} is not valid ${encoding}`)
}

function saltOf({ salt }: Given): Salt | undefined {
  if (!salt) return undefined
  return { value: decode('salt.value', salt.value, salt.encoding).toString('base64'), position: salt.position }
}
