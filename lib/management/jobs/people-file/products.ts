// What other products hand out, as flat records: which product a file is from, and what its columns become. Formats as they were in 2026.
import { toBase32 } from '../../../identity/mfa/totp'
import { isJsonObject, type Json, type JsonObject, objectIn } from '../../../kernel/json'
import type { Target } from './mapping'

export type ProductName =
  | 'auth0'
  | 'auth0-hashes'
  | 'okta'
  | 'cognito'
  | 'firebase'
  | 'keycloak'
  | 'supabase'
  | 'clerk'
  | 'other'

type Product = {
  name: ProductName
  /** Members that all of its first records have. */
  has: readonly string[]
  /** The record with its nested parts as columns. */
  flat?(record: JsonObject): JsonObject
  /** What its columns become; others go by their names. */
  columns: Readonly<Record<string, Target>>
}

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '')
const listOf = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : [])

/** A member that is JSON within a text. */
function within(value: Json | undefined): Json | undefined {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value) as Json
  } catch {
    return value
  }
}

const PRODUCTS: readonly Product[] = [
  {
    name: 'auth0-hashes',
    has: ['_id', 'passwordHash'],
    flat({ _id: id, alt_id, identifiers, passwordHash, ...record }) {
      const found = (type: string): JsonObject =>
        listOf(identifiers)
          .filter(isJsonObject)
          .find((each) => each.type === type) ?? {}
      const [email, phone] = [found('email'), found('phone_number')]
      return {
        ...record,
        user_id: `auth0|${textOf(alt_id) || textOf(objectIn(id).$oid)}`,
        email: record.email ?? email.value ?? null,
        email_verified: record.email_verified ?? email.verified ?? null,
        username: record.username ?? found('username').value ?? null,
        phone_number: record.phone_number ?? phone.value ?? null,
        phone_verified: record.phone_verified ?? phone.verified ?? null,
        password_hash: passwordHash ?? null,
      }
    },
    columns: { user_id: 'user_id', tenant: '', connection: '', _tmp_is_unique: '', password_set_date: '', version: '' },
  },
  {
    name: 'auth0',
    has: ['user_id', 'identities'],
    columns: { identities: '', multifactor: '', logins_count: '', last_login: '', last_ip: '', updated_at: '' },
  },
  {
    name: 'okta',
    has: ['id', 'status', 'profile'],
    flat: ({ profile, credentials: _, _links, ...record }) => ({
      ...record,
      ...Object.fromEntries(Object.entries(objectIn(profile)).map(([name, value]) => [`profile.${name}`, value])),
      suspended: ['SUSPENDED', 'DEPROVISIONED', 'LOCKED_OUT'].includes(textOf(record.status)),
    }),
    columns: {
      ...{ id: 'user_id', status: '', suspended: 'blocked', created: 'created_at', 'profile.email': 'email' },
      ...{ 'profile.firstName': 'given_name', 'profile.lastName': 'family_name', 'profile.displayName': 'name' },
      ...{ 'profile.nickName': 'nickname', 'profile.mobilePhone': 'phone_number', 'profile.locale': 'locale' },
      ...{ 'profile.login': '', 'profile.secondEmail': '' },
    },
  },
  {
    name: 'cognito',
    has: ['Username', 'Attributes'],
    flat({ Attributes, MFAOptions: _, ...record }) {
      const attributes = listOf(Attributes).flatMap((each): [string, Json][] =>
        isJsonObject(each) && typeof each.Name === 'string' ? [[each.Name, each.Value ?? null]] : [],
      )
      return { ...record, ...Object.fromEntries(attributes) }
    },
    columns: {
      ...{ Username: '', sub: 'user_id', Enabled: 'active', UserCreateDate: 'created_at', UserStatus: '' },
      ...{ phone_number_verified: 'phone_verified', identities: '', UserLastModifiedDate: '' },
    },
  },
  {
    name: 'cognito',
    has: ['cognito:username'],
    columns: { 'cognito:username': '', 'cognito:mfa_enabled': '', phone_number_verified: 'phone_verified' },
  },
  {
    name: 'firebase',
    has: ['localId'],
    flat: ({ customAttributes, providerUserInfo, ...record }) => ({
      ...record,
      ...(customAttributes === undefined ? {} : { customAttributes: within(customAttributes) ?? null }),
      ...(providerUserInfo === undefined ? {} : { providerUserInfo }),
    }),
    columns: {
      ...{ localId: 'user_id', emailVerified: 'email_verified', displayName: 'name', photoUrl: 'picture' },
      ...{ phoneNumber: 'phone_number', disabled: 'blocked', customAttributes: 'app_metadata' },
      // Firebase's own scrypt, which no member of an import can hold.
      ...{ createdAt: 'created_at', passwordHash: '', salt: '', lastSignedInAt: '', providerUserInfo: '' },
    },
  },
  {
    name: 'keycloak',
    has: ['username', 'enabled', 'createdTimestamp'],
    flat({ attributes, credentials, ...record }) {
      const own = Object.entries(objectIn(attributes)).map(([name, value]) => [
        `attributes.${name}`,
        Array.isArray(value) && value.length === 1 ? (value[0] as Json) : value,
      ])
      const kept = listOf(credentials).filter(isJsonObject)
      const factors = kept.flatMap(authenticatorOf)
      return {
        ...record,
        ...Object.fromEntries(own),
        ...{ password: kept.map(keycloakHash).find((hash) => hash !== null) ?? null },
        ...(factors.length > 0 && { authenticators: factors }),
      }
    },
    columns: {
      ...{ id: 'user_id', enabled: 'active', createdTimestamp: 'created_at', emailVerified: 'email_verified' },
      ...{ firstName: 'given_name', lastName: 'family_name', password: 'password_hash', realmRoles: '' },
      ...{ authenticators: 'mfa_factors', totp: '', notBefore: '', groups: '', clientRoles: '', requiredActions: '' },
      ...{ disableableCredentialTypes: '', federatedIdentities: '', access: '', serviceAccountClientId: '' },
    },
  },
  {
    name: 'supabase',
    has: ['id', 'encrypted_password'],
    flat: ({ raw_user_meta_data, raw_app_meta_data, ...record }) => ({
      ...record,
      raw_user_meta_data: within(raw_user_meta_data) ?? null,
      raw_app_meta_data: within(raw_app_meta_data) ?? null,
    }),
    columns: {
      ...{ id: 'user_id', encrypted_password: 'password_hash', email_confirmed_at: 'email_verified' },
      ...{ phone: 'phone_number', phone_confirmed_at: 'phone_verified', raw_user_meta_data: 'user_metadata' },
      ...{ raw_app_meta_data: 'app_metadata', banned_until: 'blocked', created_at: 'created_at' },
    },
  },
  {
    name: 'clerk',
    has: ['primary_email_address'],
    flat({ password_digest, password_hasher, ...record }) {
      const verified = textOf(record.verified_email_addresses).split(/[,;|\s]+/)
      return {
        ...record,
        email_verified: verified.includes(textOf(record.primary_email_address)),
        password: clerkHash(textOf(password_hasher), textOf(password_digest)),
      }
    },
    columns: {
      ...{ id: 'user_id', primary_email_address: 'email', first_name: 'given_name', last_name: 'family_name' },
      ...{ primary_phone_number: 'phone_number', totp_secret: 'mfa_factors', password: 'password_hash' },
      ...{ public_metadata: 'app_metadata', unsafe_metadata: 'user_metadata', email_verified: 'email_verified' },
    },
  },
]

const OTHER: Product = { name: 'other', has: [], columns: {} }

export const productOf = (record: JsonObject): Product =>
  PRODUCTS.find(({ has }) => has.every((name) => Object.hasOwn(record, name))) ?? OTHER

export const flattened = ({ flat }: Product, record: JsonObject): JsonObject => flat?.(record) ?? record

/** What the columns of a product become. */
export const columnsOf = (name: ProductName): Readonly<Record<string, Target>> =>
  Object.assign({}, ...PRODUCTS.filter((product) => product.name === name).map(({ columns }) => columns))

/** A password of Keycloak as a PHC string; null where the algorithm has none. */
function keycloakHash({ type, credentialData, secretData }: JsonObject): string | null {
  if (type !== 'password') return null
  const { algorithm, hashIterations, additionalParameters } = objectIn(within(credentialData) ?? null)
  const secret = objectIn(within(secretData) ?? null)
  const [salt, hash] = [bare(textOf(secret.salt)), bare(textOf(secret.value))]
  const length = Buffer.from(hash, 'base64').length
  const [, digest] = /^pbkdf2(?:-(sha\d+))?$/.exec(textOf(algorithm)) ?? []
  if (textOf(algorithm).startsWith('pbkdf2'))
    return `$pbkdf2-${digest ?? 'sha1'}$i=${hashIterations},l=${length}$${salt}$${hash}`
  const [memory, parallelism, kind] = ['memory', 'parallelism', 'type'].map((name) =>
    String(listOf(objectIn(additionalParameters)[name])[0] ?? ''),
  )
  if (algorithm !== 'argon2') return null
  return `$argon2${kind || 'id'}$v=19$m=${memory},t=${hashIterations},p=${parallelism}$${salt}$${hash}`
}

const bare = (base64: string): string => base64.replace(/=+$/, '')

/** An authenticator app of six digits, thirty seconds and SHA-1, which is all that an import takes. */
function authenticatorOf({ type, credentialData, secretData }: JsonObject): Json[] {
  const { subType, digits, period, algorithm, secretEncoding } = objectIn(within(credentialData) ?? null)
  if (type !== 'otp' || subType !== 'totp' || digits !== 6 || period !== 30 || algorithm !== 'HmacSHA1') return []
  const value = textOf(objectIn(within(secretData) ?? null).value)
  return [{ totp: { secret: secretEncoding === 'BASE32' ? bare(value) : toBase32(Buffer.from(value, 'utf8')) } }]
}

/** The digest as an import takes it; as it is where its hasher is another, so that the entry is refused and not left without a password. */
function clerkHash(hasher: string, digest: string): Json {
  if (digest === '') return null
  if (hasher === 'md5' || hasher === 'sha256') return { algorithm: hasher, hash: { value: digest, encoding: 'hex' } }
  return digest
}
