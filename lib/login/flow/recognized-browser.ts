// The cookie by which a browser that signed in before is recognized (lib/data/users/recognized-browser.ts): one value for each of
// the last few accounts. It is written after a correct password or code, and only if it holds no value for that account.
import { type RecognizedBrowser, readRecognition, recognitionFor, tagOf } from '../../data/users/recognized-browser'
import type { LoginDeps } from '../deps'
import type { Visitor } from '../visitor'
import type { Cookie } from '../visitor-response'

const MAX_ACCOUNTS = 3
const KEPT_SECONDS = 180 * 86400

type Recognition = RecognizedBrowser & { value: string }

export const recognitionsOf = (
  { cookies: { recognized } }: Visitor,
  deps: Pick<LoginDeps, 'vault'>,
): readonly Recognition[] =>
  (recognized?.split('.') ?? []).slice(0, MAX_ACCOUNTS).flatMap((value) => {
    const browser = readRecognition(value, deps)
    return browser ? [{ ...browser, value }] : []
  })

/** `account` is the tag that the browser is recognized by. Returns no cookie if the browser is already recognized. */
export function recognize(account: Uint8Array, visitor: Visitor, deps: Pick<LoginDeps, 'vault' | 'random'>): Cookie[] {
  const held = recognitionsOf(visitor, deps)
  if (held.some(({ tag }) => Buffer.compare(tag, tagOf(account)) === 0)) return []
  const values = [recognitionFor(account, deps), ...held.map(({ value }) => value)].slice(0, MAX_ACCOUNTS)
  return [{ name: 'recognized', value: values.join('.'), maxAge: KEPT_SECONDS }]
}
