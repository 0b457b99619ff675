// Load shedding (threat-model.md RE4): above a bound, a request is refused at once with 503 and Retry-After, in the error
// format of its endpoint, before it costs a SQL statement or a password hash.
// - The bound counts requests under way, whatever they wait for: a connection, a hash, a signature, the event loop. So every
//   queue behind them is bounded too.
// - `first` sheds requests that start a flow, because a retry loses nothing. `last` sheds requests that continue or end a flow.
//   `never` is for health checks and for keys that verify tokens.
import { temporarilyUnavailable } from '../kernel/errors'

export type SheddingOrder = 'first' | 'last' | 'never'

/** Admits a request, or throws. The caller calls the returned function once the request is answered. */
export type Admit = (order: SheddingOrder) => () => void

const WHILE_SHEDDING_SECONDS = 2

/** `most` is the largest number of requests under way; requests that start a flow may use a third of it. */
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
