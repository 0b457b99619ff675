// What the columns of a file become: members of an import, or nothing. A guess by the product and the names, which a person may change; and the
// values as an import reads them, since a CSV has texts alone. What cannot be read stays as it is, so that the import says what is wrong with it.
import { isJsonObject, type Json, type JsonObject } from '../../../kernel/json'
import { IMPORT_MEMBERS } from '../import-members'
import { columnsOf, type ProductName } from './products'

/** A member of an import, `user_metadata.<name>`, `app_metadata.<name>`, `active`, which is the opposite of `blocked`; empty for nothing. */
export type Target = string

/** By column. */
export type Mapping = Readonly<Record<string, Target>>

const MEMBERS: readonly string[] = Object.keys(IMPORT_MEMBERS)

export const TARGETS: readonly string[] = [...MEMBERS, 'active']

const METADATA = /^(user_metadata|app_metadata)\.(.{1,200})$/s

/** Whether a mapping from outside may name it. */
export const isTarget = (target: string): boolean =>
  target === '' || TARGETS.includes(target) || (METADATA.test(target) && !target.includes('__proto__'))

const ALIASES: Readonly<Record<string, Target>> = {
  ...{ id: 'user_id', userid: 'user_id', mail: 'email', emailaddress: 'email', isactive: 'active', enabled: 'active' },
  ...{
    emailverified: 'email_verified',
    verified: 'email_verified',
    login: 'username',
    phone: 'phone_number',
    mobile: 'phone_number',
  },
  ...{ mobilephone: 'phone_number', fullname: 'name', displayname: 'name', firstname: 'given_name' },
  ...{ lastname: 'family_name', surname: 'family_name', avatar: 'picture', photo: 'picture', disabled: 'blocked' },
  ...{ passworddigest: 'password_hash', passwordhash: 'password_hash', createdat: 'created_at', timezone: 'zoneinfo' },
  ...{ totpsecret: 'mfa_factors', imageurl: 'picture', pictureurl: 'picture', birthday: 'birthdate' },
}

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')

const BY_PLAIN_NAME = new Map([
  ...TARGETS.map((target) => [plain(target), target] as const),
  ...Object.entries(ALIASES),
])

/** No two columns become the same member: the first has it. */
export function guessMapping(columns: readonly string[], product: ProductName): Mapping {
  const known = columnsOf(product)
  const taken = new Set(columns.map((column) => known[column]).filter(Boolean))
  return Object.fromEntries(
    columns.map((column) => {
      if (Object.hasOwn(known, column)) return [column, known[column] ?? '']
      const guess = METADATA.test(column) ? column : (BY_PLAIN_NAME.get(plain(column)) ?? '')
      if (taken.has(guess)) return [column, '']
      if (guess !== '') taken.add(guess)
      return [column, guess]
    }),
  )
}

/** The entry of an import. */
export function mappedEntry(record: JsonObject, mapping: Mapping): JsonObject {
  const entry: JsonObject = {}
  for (const [column, target] of Object.entries(mapping)) {
    const value = record[column]
    if (target === '' || value === undefined || value === null || value === '') continue
    const [, holder, name] = METADATA.exec(target) ?? []
    if (holder !== undefined && name !== undefined) {
      const held = entry[holder]
      entry[holder] = { ...(isJsonObject(held) ? held : {}), [name]: value }
    } else Object.assign(entry, memberOf(target, value))
  }
  return entry
}

function memberOf(target: Target, value: Json): JsonObject {
  if (target === 'active') {
    const isActive = truthOf(value)
    // Not read as a yes or no: the import refuses the text, and lets no one in by mistake.
    return { blocked: typeof isActive === 'boolean' ? !isActive : isActive }
  }
  if (target === 'password_hash') return hashOf(value)
  const read = READERS[target]
  return { [target]: read ? read(value) : typeof value === 'number' ? String(value) : value }
}

const READERS: Readonly<Record<string, (value: Json) => Json>> = {
  email_verified: truthOf,
  phone_verified: truthOf,
  blocked: truthOf,
  created_at: momentOf,
  user_metadata: parsed,
  app_metadata: parsed,
  address: parsed,
  custom_password_hash: parsed,
  mfa_factors: factorsOf,
  roles: (value) => (typeof value === 'string' ? listIn(value) : value),
}

const YES = new Set(['true', 't', 'yes', 'y', '1'])
const NO = new Set(['false', 'f', 'no', 'n', '0'])
const DATE = /^\d{4}-\d\d-\d\d/

/** A moment since when it is so is a yes. */
function truthOf(value: Json): Json {
  if (value === 1 || value === 0) return value === 1
  if (typeof value !== 'string') return value
  const text = value.trim().toLowerCase()
  return YES.has(text) || DATE.test(text) ? true : NO.has(text) ? false : value
}

/** Milliseconds and seconds since 1970, or a date and time; without a zone it is UTC, as databases write it. */
function momentOf(value: Json): Json {
  const text = String(value).trim()
  if (/^\d{12,14}$/.test(text)) return new Date(Number(text)).toISOString()
  if (/^\d{9,10}$/.test(text)) return new Date(Number(text) * 1000).toISOString()
  const [, day, time = '00:00', zone = 'Z'] = MOMENT.exec(text) ?? []
  const moment = new Date(`${day}T${time}${/^[+-]\d\d$/.test(zone) ? `${zone}:00` : zone}`)
  return Number.isNaN(moment.getTime()) ? value : moment.toISOString()
}

const MOMENT = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|[+-]\d\d(?::?\d\d)?)?)?$/i

function parsed(value: Json): Json {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value
  try {
    return JSON.parse(value) as Json
  } catch {
    return value
  }
}

/** A secret alone is that of an authenticator app. */
function factorsOf(value: Json): Json {
  const read = parsed(value)
  return typeof read === 'string' ? [{ totp: { secret: read.replace(/[\s=]/g, '').toUpperCase() } }] : read
}

function listIn(text: string): Json {
  const read = parsed(text)
  return typeof read === 'string'
    ? read
        .split(/[,;|]/)
        .map((each) => each.trim())
        .filter((each) => each !== '')
    : read
}

/** By the start of the text: bcrypt, a PHC string, or one of LDAP. */
function hashOf(value: Json): JsonObject {
  const read = parsed(value)
  if (typeof read !== 'string') return { custom_password_hash: read }
  const algorithm = /^\$argon2/.test(read)
    ? 'argon2'
    : /^\$pbkdf2/.test(read)
      ? 'pbkdf2'
      : /^\{/.test(read)
        ? 'ldap'
        : null
  return algorithm === null
    ? { password_hash: read }
    : { custom_password_hash: { algorithm, hash: { value: read, encoding: 'utf8' } } }
}
