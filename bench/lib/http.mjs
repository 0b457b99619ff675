// Requests and expected responses, independent of the client.

/** A form POST, as browsers and OAuth clients send it. */
export const formPost = (path, fields, headers = {}) => ({
  method: 'POST',
  path,
  headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams(fields).toString(),
})

/** A JSON POST. */
export const jsonPost = (path, members) => ({
  method: 'POST',
  path,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(members),
})

/** The response, or an error that contains the actual response. */
export function expectStatus(response, status, what) {
  if (response.status === status) return response
  throw new Error(`${what}: expected ${status}, got ${response.status} ${response.text.slice(0, 300)}`)
}
