// The clients' record: every request with its result, and a sentence for every broken guarantee. It is the only evidence: the
// servers' logs and metrics decide nothing in the table.

export class Journal {
  requests = []
  /** Sentences; a run without any has passed. */
  broken = []
  #seen = new Set()
  /** When refusals are no breach: a clock has just been stepped. */
  #excused = { from: 0, until: 0 }

  /** `status`: null if there was no response. */
  request(entry) {
    this.requests.push(entry)
  }

  /** Each sentence is recorded once, since a broken guarantee usually occurs many times. */
  breach(sentence) {
    if (this.#seen.has(sentence)) return
    this.#seen.add(sentence)
    this.broken.push(sentence)
  }

  excuse(ms) {
    const from = performance.now()
    this.#excused = { from, until: from + ms }
  }

  isExcused(from, until) {
    return from < this.#excused.until && until > this.#excused.from
  }

  between(from, to) {
    return this.requests.filter(({ at }) => at >= from && at < to)
  }
}

export const isServed = ({ status }) => status !== null && status < 500

/** Share of served requests, and the longest time without one. */
export function summarize(requests, from, to) {
  const served = requests.filter(isServed)
  const moments = [from, ...served.map(({ at, ms }) => at + ms).filter((at) => at < to), to].sort((a, b) => a - b)
  const gaps = moments.slice(1).map((moment, index) => moment - moments[index])
  return {
    requests: requests.length,
    unserved: requests.length - served.length,
    unanswered: requests.filter(({ status }) => status === null).length,
    availability: requests.length === 0 ? 0 : served.length / requests.length,
    longestGap: Math.max(...gaps),
    slowest: Math.max(0, ...requests.map(({ ms }) => ms)),
  }
}
