// The cookie by which a browser is recognized that signed in before (lib/users/recognized-browser.ts): a value for each of the
// last few accounts. It is written when a password or a code was right in it, and only where it holds none of that account.
import { readCookie, writeCookie } from '../../http/cookies'
import type { HttpRequest } from '../../http/message'
import { type RecognizedBrowser, readRecognition, recognitionFor, tagOf } from '../../users/recognized-browser'
import type { LoginDeps } from '../deps'

const MAX_ACCOUNTS = 3
const KEPT_SECONDS = 180 * 86400

type Recognition = RecognizedBrowser & { value: string }

export const recognitionsOf = (
  request: HttpRequest,
  deps: Pick<LoginDeps, 'secure' | 'vault'>,
): readonly Recognition[] =>
  (readCookie(request, 'recognized', deps)?.split('.') ?? []).slice(0, MAX_ACCOUNTS).flatMap((value) => {
    const browser = readRecognition(value, deps)
    return browser ? [{ ...browser, value }] : []
  })

/** `account` is what the browser is recognized by; no header where the browser is recognized already. */
export function recognize(
  account: Uint8Array,
  request: HttpRequest,
  deps: Pick<LoginDeps, 'secure' | 'vault' | 'random'>,
): [string, string][] {
  const held = recognitionsOf(request, deps)
  if (held.some(({ tag }) => Buffer.compare(tag, tagOf(account)) === 0)) return []
  const values = [recognitionFor(account, deps), ...held.map(({ value }) => value)].slice(0, MAX_ACCOUNTS)
  return [writeCookie('recognized', values.join('.'), deps, KEPT_SECONDS)]
}
