// The cookie that binds a login transaction to the browser that started it (threat-model.md SE4): one random value per browser,
// shared by its transactions. It proves no identity and never becomes a session.
import type { Random } from '../kernel/random'
import { digest, equalsConstantTime } from '../kernel/secret'
import type { Visitor } from './visitor'
import type { Cookie } from './visitor-response'

export function bindBrowser(
  { cookies: { browser: known } }: Visitor,
  { random }: { random: Random },
): { digest: Uint8Array; cookies: Cookie[] } {
  if (known) return { digest: digest(known), cookies: [] }
  const value = random.token()
  return { digest: digest(value), cookies: [{ name: 'browser', value }] }
}

export type Binding = 'bound' | 'other-browser' | 'no-cookie'

export function checkBinding({ cookies: { browser: value } }: Visitor, expected: Uint8Array): Binding {
  if (!value) return 'no-cookie'
  return equalsConstantTime(digest(value), expected) ? 'bound' : 'other-browser'
}
