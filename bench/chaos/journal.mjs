// What the clients saw and were promised: every request with its end, and every promise that was broken, in words.
// Nothing else is believed: neither the servers' logs nor their metrics decide what the table says.

export class Journal {
  requests = []
  /** Sentences; a run without any has passed. */
  broken = []
  #seen = new Set()

  /** `status`: null where no answer came. */
  request(entry) {
    this.requests.push(entry)
  }

  /** Once per sentence: a broken promise is usually broken a hundred times. */
  breach(sentence) {
    if (this.#seen.has(sentence)) return
    this.#seen.add(sentence)
    this.broken.push(sentence)
  }

  between(from, to) {
    return this.requests.filter(({ at }) => at >= from && at < to)
  }
}

export const isServed = ({ status }) => status !== null && status < 500

/** Share of the requests that were served, and the longest time in which none was. */
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
