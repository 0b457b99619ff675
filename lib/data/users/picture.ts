// The picture of a user who has none: initials on a colour, drawn by this server at /avatar/<name>.svg, or Gravatar if the tenant
// selects it.
// - The name of the drawing is the sealed content of the drawing: no table and no statement, and nothing about the user can be
//   read or guessed from it. Equal drawings have equal names, so they are cached as immutable.
// - Only what this server named is drawn (threat-model.md PI1).
import { createHash } from 'node:crypto'
import type { Vault } from '../../kernel/secret'
import { initialsOf } from './initials'
import type { User } from './user'

export const AVATAR_PATH = '/avatar'
/** Of uploaded pictures (lib/identity/pictures). */
export const PICTURE_PATH = '/picture'

/** The user with a picture. */
export type Portray = (user: User) => User

/** Each has a contrast of 4.5:1 or more to white (WCAG 2.2, 1.4.3). */
export const BACKGROUNDS = [
  '#9a3412',
  '#92400e',
  '#3f6212',
  '#166534',
  '#115e59',
  '#155e75',
  '#1e40af',
  '#3730a3',
  '#5b21b6',
  '#86198f',
  '#9d174d',
  '#334155',
] as const

type Drawing = { initials: string; background: string }

/** `canonicalUrl` begins the addresses of uploaded pictures as they are stored; each host of the tenant shows them as its own. */
type Deps = { vault: Vault; baseUrl: string; canonicalUrl: string; source: 'initials' | 'gravatar' }

export function createPortray({ vault, baseUrl, canonicalUrl, source }: Deps): Portray {
  const names = new Map<string, string>()
  const addressOf = (user: User): string => {
    const colour = (vault.mac('avatar-colour', user.id)[0] ?? 0) % BACKGROUNDS.length
    const content = `${String.fromCharCode(colour)}${initialsOf(user)}`
    const name = names.get(content) ?? sealName(content, vault)
    if (names.size >= MAX_NAMES) names.clear()
    names.set(content, name)
    return `${baseUrl}${AVATAR_PATH}/${name}.svg`
  }
  const uploaded = `${canonicalUrl}${PICTURE_PATH}/`
  return (user) => {
    if (user.picture === null) return { ...user, picture: gravatarOf(user, source) ?? addressOf(user) }
    if (baseUrl === canonicalUrl || !user.picture.startsWith(uploaded)) return user
    return { ...user, picture: baseUrl + user.picture.slice(canonicalUrl.length) }
  }
}

const MAX_NAMES = 10_000

/** The same look-up, of users with pictures. */
export const withPictures = <
  Found extends { user: User },
  Port extends { find(userId: string): Promise<Found | null> },
>(
  port: Port,
  portray: Portray,
): Port => ({
  ...port,
  async find(userId: string) {
    const found = await port.find(userId)
    return found && { ...found, user: portray(found.user) }
  },
})

/** Gravatar publishes a digest of the address, so it is off by default. An unproven address may be another person's. */
function gravatarOf({ email, emailVerified }: User, source: Deps['source']): string | null {
  if (source !== 'gravatar' || email === null || !emailVerified) return null
  return `https://gravatar.com/avatar/${createHash('sha256').update(email).digest('hex')}?s=480&r=pg&d=identicon`
}

const PURPOSE = 'avatar'
/** Names of usual lengths are equally long, so that they do not reveal the number of initials. */
const LENGTHS = [8, 80]

/** Deterministic: the initialization vector is derived from the content. */
function sealName(content: string, vault: Vault): string {
  const bytes = Buffer.from(content)
  const padded = Buffer.alloc(LENGTHS.find((length) => bytes.length <= length) ?? bytes.length)
  bytes.copy(padded)
  const bytesOf = (count: number) => vault.mac('avatar-iv', padded).subarray(0, count)
  return vault.sealText(PURPOSE, padded, { bytes: bytesOf })
}

/** Null for a name that is not of this server's making. */
export function readDrawing(name: string, vault: Vault): Drawing | null {
  if (!/^[\w-]{1,200}$/.test(name)) return null
  const content = vault.openText(PURPOSE, name)
  const background = content && BACKGROUNDS[content.charCodeAt(0)]
  return background ? { initials: content.slice(1).replaceAll('\0', ''), background } : null
}
