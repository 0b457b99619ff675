// The login of a provider double: it accepts any name, which stays signed in as long as the cookie lasts.
const escapeHtml = (text) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
const hidden = ([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`

/** The page posts to its own URL, with the fields that were posted there. */
const loginPage = (title, { originalUrl, body }) =>
  `<!doctype html><html lang="en"><title>${title}</title><h1>${title}</h1><form method="post" action="${escapeHtml(originalUrl)}">${Object.entries(body).map(hidden).join('')}<label>Name <input name="username"></label><label>Password <input name="password" type="password"></label><button>Enter</button></form></html>`

const userOf = (typed, place, [name] = typed.split('@')) => ({
  id: name,
  displayName: `${name} of the ${place}`,
  emails: [{ value: `${name}@${place}.e2e.test` }],
  name: { givenName: name, familyName: place },
})

/** The signed-in or newly entered name; null if a page or a redirect was sent instead. */
export function visitorAt(place, visitors, request, response) {
  const { username, password, ...message } = request.body
  request.body = message
  const known = visitors.of(request)
  if (known) return known
  if (!username) {
    response.type('html').send(loginPage(`The ${place}`, request))
    return null
  }
  const entered = { user: userOf(username, place), sessionIndex: `_${crypto.randomUUID()}`, participants: [] }
  visitors.enter(response, entered)
  if (message.SAMLRequest) return entered
  response.redirect(303, request.originalUrl)
  return null
}
