// A tab that refreshes as fast as it is answered, and remembers exactly what it was promised.
import { refresh, type TokenAnswer } from './tenant'

export type Refreshing = {
  /** How many refreshes were acknowledged so far. */
  readonly acknowledged: number
  /** Waits until the server is gone (or `halt` was called); what the tab then holds. */
  ended: Promise<Held>
  halt(): void
}

/** `unanswered`: the token was sent, and no answer came; it may or may not have been spent. */
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
