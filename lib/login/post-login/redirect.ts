// An action's redirect to another site: the browser leaves with our `state` and returns to /continue with it (threat-model.md
// RU5). The state is encrypted, so the site does not see the login handle. It is valid once, in the browser that left, because
// it must contain the value that the login waits for.
import type { Random } from '../../kernel/random'
import type { Vault } from '../../kernel/secret'
import type { PostLoginDraft } from './draft'
import type { PostLoginVerdict } from './run'

const SEALED = 'rule redirect'

type Deps = { vault: Vault; random: Random }
type Redirecting = Extract<PostLoginVerdict, { kind: 'redirect' }>

export const leavingDraft = ({ effects, user }: Redirecting, { random }: Deps): PostLoginDraft => ({
  userId: user.id,
  effects,
  left: random.token(),
})

/** The redirect target with the state. */
export function departureOf({ left = '' }: PostLoginDraft, url: URL, handle: string, { vault, random }: Deps): string {
  const state = vault.sealText(SEALED, JSON.stringify([handle, left]), random)
  const target = new URL(url)
  target.searchParams.set('state', state)
  return target.href
}

/** Null for a state that this server did not issue. */
export function readState(
  state: string | undefined,
  { vault }: Pick<Deps, 'vault'>,
): { handle: string; left: string } | null {
  const opened = state === undefined ? null : vault.openText(SEALED, state)
  if (!opened) return null
  const [handle, left] = JSON.parse(opened) as [string, string]
  return { handle, left }
}
