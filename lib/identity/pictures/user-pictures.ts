// The uploaded picture of a user: its name, and where it is kept and shown (docs/adr/0043-uploaded-pictures.md).
import { createHash } from 'node:crypto'
import type { Vault } from '../../kernel/secret'
import { type CleanPicture, PICTURE_TYPES, type PictureExtension } from './picture-file'

export type StoredPicture = CleanPicture & { name: string }

export type UserPicturePort = {
  /** Shows the picture at `url` as the user's, in place of any other. False if the user is gone. */
  put(userId: string, picture: StoredPicture, url: string, at: Date): Promise<boolean>
  /** The user has none afterwards, wherever it was from. False if there was none. */
  remove(userId: string, at: Date): Promise<boolean>
  /** The one that is shown as its user's picture. */
  find(name: string, extension: PictureExtension): Promise<Uint8Array | null>
  ofUser(userId: string): Promise<CleanPicture | null>
}

/** Equal bytes of one user have one name, so they are cached as immutable; nothing about the user can be read or guessed from it. */
export function nameOf(userId: string, { bytes }: CleanPicture, vault: Vault): string {
  const content = createHash('sha256').update(bytes).digest('base64url')
  return vault
    .mac('picture', JSON.stringify([userId, content]))
    .subarray(0, 18)
    .toString('base64url')
}

export const pictureFile = ({ name, extension }: Pick<StoredPicture, 'name' | 'extension'>): string =>
  `${name}.${extension}`

/** Null for what cannot be the name of one. */
export function readPictureFile(file: string): { name: string; extension: PictureExtension } | null {
  const [, name, extension] = /^([\w-]{24})\.([a-z]+)$/.exec(file) ?? []
  return name && extension && Object.hasOwn(PICTURE_TYPES, extension)
    ? { name, extension: extension as PictureExtension }
    : null
}
