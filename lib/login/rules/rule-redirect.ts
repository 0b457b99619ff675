// A rule's way round by another site: the browser leaves with a `state` of ours and comes back to /continue with it
// (threat-model.md RU5). The state is sealed, so the site learns no handle of a page, and is good once for the browser that
// left: it must hold what the login waits for.
import type { Random } from '../../kernel/random'
import type { Vault } from '../../kernel/secret'
import type { RuleDraft } from './rule-draft'
import type { RuleVerdict } from './run-rules'

const SEALED = 'rule redirect'

type Deps = { vault: Vault; random: Random }
type Redirecting = Extract<RuleVerdict, { kind: 'redirect' }>

export const leavingDraft = ({ effects, user }: Redirecting, { random }: Deps): RuleDraft => ({
  userId: user.id,
  effects,
  left: random.token(),
})

/** Where the browser goes. */
export function departureOf({ left = '' }: RuleDraft, url: URL, handle: string, { vault, random }: Deps): string {
  const state = vault.seal(SEALED, JSON.stringify([handle, left]), random).toString('base64url')
  const target = new URL(url)
  target.searchParams.set('state', state)
  return target.href
}

/** Null for a state that is not ours. */
export function readState(
  state: string | undefined,
  { vault }: Pick<Deps, 'vault'>,
): { handle: string; left: string } | null {
  const opened = state === undefined ? null : vault.open(SEALED, Buffer.from(state, 'base64url'))
  if (!opened) return null
  const [handle, left] = JSON.parse(opened.toString()) as [string, string]
  return { handle, left }
}
