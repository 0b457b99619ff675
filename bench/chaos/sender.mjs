// The clients' HTTP: sends a request, records the result, and detects results that break a guarantee for any request: a 5xx
// other than 503 with Retry-After, and a response that takes too long.
// - `Unserved`: 503 or no response. The request may have taken effect; the client must retry.
import { Agent, request as open } from 'node:http'
import { performance } from 'node:perf_hooks'

/** threat-model.md RE4: maximum duration of a request, whatever is unavailable. */
const PATIENCE_MS = 10_000

export class Unserved extends Error {}

function exchange(agent, origin, { method = 'GET', path, headers, body }) {
  return new Promise((resolve, reject) => {
    const outgoing = open(origin + path, { method, headers, agent, timeout: PATIENCE_MS }, (incoming) => {
      let text = ''
      incoming.setEncoding('utf8').on('data', (chunk) => {
        text += chunk
      })
      incoming.on('end', () => resolve({ status: incoming.statusCode, headers: incoming.headers, text }))
      incoming.on('error', reject)
      incoming.on('aborted', () => reject(new Error('the answer was cut off')))
    })
    outgoing.on('timeout', () => outgoing.destroy(new Error('kept waiting')))
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

/** `always`: headers of every request of this client. `counted`: whether its requests count for the availability. */
export function createSender(origin, journal, kind, { always = {}, counted = true } = {}) {
  const agent = new Agent({ keepAlive: true })

  async function send(request) {
    const at = performance.now()
    const done = (status) => counted && journal.request({ kind, at, ms: performance.now() - at, status })
    const what = `${request.method ?? 'GET'} ${request.path.split('?')[0]}`
    try {
      const headers = { ...always, ...request.headers }
      const answer = await exchange(agent, origin, { ...request, headers })
      done(answer.status)
      judge(what, answer)
      return answer
    } catch (error) {
      if (error instanceof Unserved) throw error
      done(null)
      if (error.message === 'kept waiting') journal.breach(`${what} was not answered within ${PATIENCE_MS / 1000} s`)
      throw new Unserved(`${what}: ${error.message}`)
    }
  }

  function judge(what, { status, headers, text }) {
    if (status < 500) return
    if (status !== 503) journal.breach(`${what} was answered ${status}: ${text.slice(0, 200)}`)
    else if (!headers['retry-after']) journal.breach(`${what} was answered 503 without Retry-After`)
    throw new Unserved(`${what}: ${status}`)
  }

  return { origin, send, close: () => agent.destroy() }
}
