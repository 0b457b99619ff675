// A tab that refreshes as fast as the server responds, and records every acknowledged refresh.
import { refresh, type TokenAnswer } from './tenant'

export type Refreshing = {
  /** Number of acknowledged refreshes. */
  readonly acknowledged: number
  /** Waits until the server is gone (or `halt` was called); returns the tab's current token. */
  ended: Promise<Held>
  halt(): void
}

/** `unanswered`: the token was sent without a response, so it may have been spent. */
export type Held = { token: string; unanswered: boolean; refused: TokenAnswer | null }

export function startRefreshing(url: string, clientId: string, first: string): Refreshing {
  let token = first
  let acknowledged = 0
  let halted = false
  async function loop(): Promise<Held> {
    while (!halted) {
      const answer = await refresh(url, clientId, token).catch(() => null)
      if (answer === null) return { token, unanswered: true, refused: null }
      if (answer.status === 503) continue
      if (answer.status !== 200) return { token, unanswered: false, refused: answer }
      token = answer.body.refresh_token
      acknowledged += 1
    }
    return { token, unanswered: false, refused: null }
  }
  return {
    get acknowledged() {
      return acknowledged
    },
    ended: loop(),
    halt() {
      halted = true
    },
  }
}
