// What is sent and what is expected back, whichever client carries it.

/** A POST of a form, as browsers and OAuth clients send it. */
export const formPost = (path, fields, headers = {}) => ({
  method: 'POST',
  path,
  headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams(fields).toString(),
})

/** The answer, or an error that shows what came instead. */
export function expectStatus(response, status, what) {
  if (response.status === status) return response
  throw new Error(`${what}: expected ${status}, got ${response.status} ${response.text.slice(0, 300)}`)
}
