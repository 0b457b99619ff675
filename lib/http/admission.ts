// Whom to turn away when more is asked than this process can answer (threat-model.md RE4): a request is admitted, or refused
// at once with 503 and Retry-After in its surface's own format, before it has cost a statement or a hash.
// - What is under way is counted, whatever it waits for: a connection, a hash, a signature, the event loop. So what waits
//   for any of them is bounded too.
// - The order is the one that hurts least: `first` what begins something (somebody who tries again has lost nothing), `last`
//   what goes on with it or ends it, `never` what says how the server is and what verifies its tokens.
import { temporarilyUnavailable } from '../kernel/errors'

export type SheddingOrder = 'first' | 'last' | 'never'

/** Admits a request of that order, or throws; what comes back is called when it has been answered. */
export type Admit = (order: SheddingOrder) => () => void

const WHILE_SHEDDING_SECONDS = 2

/** `most` requests under way; newcomers may take a third of that. */
export function createAdmission(most: number): Admit {
  const bounds: Record<SheddingOrder, number> = {
    first: Math.ceil(most / 3),
    last: most,
    never: Number.POSITIVE_INFINITY,
  }
  let underWay = 0
  const leave = (): void => {
    underWay -= 1
  }
  return (order) => {
    if (order === 'never') return NOTHING
    if (underWay >= bounds[order]) throw full(underWay)
    underWay += 1
    return leave
  }
}

const NOTHING = (): void => {}

const full = (underWay: number) =>
  temporarilyUnavailable('The server is busy, try again shortly', {
    retryAfter: WHILE_SHEDDING_SECONDS,
    detail: `${underWay} requests are under way`,
  })
