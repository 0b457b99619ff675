// Entity tags (RFC 9110 8.8.3): the digest of an object as the API shows it. They make concurrent changes safe (If-Match).
import { digest } from '../../kernel/secret'
import { stale } from './errors'

export const entityTag = (shown: unknown): string =>
  `"${digest(JSON.stringify(shown)).subarray(0, 12).toString('base64url')}"`

/** Throws unless the caller set no condition or the object still has one of the given tags. */
export function checkUnchanged(ifMatch: string | null, shown: unknown): void {
  if (ifMatch === null || ifMatch.trim() === '*') return
  const tags = ifMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  if (!tags.includes(entityTag(shown))) throw stale()
}
