// The client of the measurements: keep-alive connections, one request in flight on each, minimal decoding. It shares the
// machine with the servers, so it is the smallest client that implements HTTP correctly.
import { Pool } from 'undici'

/** A client for one server: `send({method, path, headers, body})` returns `{status, headers, text}`. */
export function createHttp(origin, connections) {
  const pool = new Pool(origin, { connections, pipelining: 1, keepAliveTimeout: 60_000 })
  return {
    origin,
    async send({ method = 'GET', path, headers, body }) {
      const response = await pool.request({ method, path, headers, body })
      return { status: response.statusCode, headers: response.headers, text: await response.body.text() }
    },
    close: () => pool.close(),
  }
}
