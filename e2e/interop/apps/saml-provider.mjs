// A customer's identity provider on the unmodified npm packages `express` and `samlp` (what the vendor's own is made with).
// Whoever types a name is signed in under it. Requests must be signed by the service provider that they name.
//   /sso            both bindings
//   /start/:name    a login that begins here, at the service provider of that name
//   /slo            single logout
import express from 'express'
import samlp from 'samlp'
import SessionParticipants from 'samlp/lib/sessionParticipants/index.js'
import { keepVisitors } from './support/visitors.mjs'

const { port, origin, entityId, own, serviceProviders } = JSON.parse(process.argv[2])
const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect'
const visitors = keepVisitors(port)

const userOf = (typed, [name] = typed.split('@')) => ({
  id: name,
  displayName: `${name} of the guild`,
  emails: [{ value: `${name}@guild.e2e.test` }],
  name: { givenName: name, familyName: 'Guild' },
})

const byEntityId = (id) => Object.values(serviceProviders).find((each) => each.entityId === id)

/** The answer to whoever asked, and the note that it has a session with them. */
function answer(sp, visitor, request, response, next) {
  visitor.participants.push({
    serviceProviderId: sp.entityId,
    sessionIndex: visitor.sessionIndex,
    nameId: visitor.user.id,
    serviceProviderLogoutURL: sp.slo,
    cert: sp.certificate,
    binding: REDIRECT,
  })
  const options = {
    issuer: entityId,
    cert: own.cert,
    key: own.key,
    audience: sp.entityId,
    destination: sp.acs,
    recipient: sp.acs,
    sessionIndex: visitor.sessionIndex,
    lifetimeInSeconds: 300,
    getUserFromRequest: () => visitor.user,
    getPostURL: (_audience, _request, _call, done) => done(null, sp.acs),
    ...sp.options,
  }
  samlp.auth(options)(request, response, next)
}

const escapeHtml = (text) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
const hidden = ([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`
const loginPage = ({ originalUrl, body }) =>
  `<!doctype html><html lang="en"><title>The Guild</title><h1>The Guild</h1><form method="post" action="${escapeHtml(originalUrl)}">${Object.entries(body).map(hidden).join('')}<label>Name <input name="username"></label><label>Password <input name="password" type="password"></label><button>Enter</button></form></html>`

/** Whoever is here, or has just typed a name; else there is the page that asks for it. */
function visitorOf(request, response) {
  const { username, password, ...message } = request.body
  request.body = message
  const known = visitors.of(request)
  if (known) return known
  if (!username) {
    response.type('html').send(loginPage(request))
    return null
  }
  const entered = { user: userOf(username), sessionIndex: `_${crypto.randomUUID()}`, participants: [] }
  visitors.enter(response, entered)
  if (message.SAMLRequest) return entered
  response.redirect(303, request.originalUrl)
  return null
}

const app = express()
app.use(express.urlencoded({ extended: false, limit: '1mb' }))
app.use((request, _response, next) => {
  request.body ??= {}
  next()
})
app.get(
  '/metadata',
  samlp.metadata({
    issuer: entityId,
    cert: own.cert,
    redirectEndpointPath: '/sso',
    postEndpointPath: '/sso',
    logoutEndpointPaths: { redirect: '/slo' },
  }),
)
app.all('/sso', (request, response, next) => {
  const visitor = visitorOf(request, response)
  if (!visitor) return
  samlp.parseRequest(request, {}, (error, asked) => {
    const sp = byEntityId(asked?.issuer)
    if (error || !sp) return next(error ?? new Error(`unknown: ${asked?.issuer}`))
    answer({ ...sp, options: { ...sp.options, signingCert: sp.certificate } }, visitor, request, response, next)
  })
})
app.all('/start/:name', (request, response, next) => {
  const visitor = visitorOf(request, response)
  if (visitor) answer(serviceProviders[request.params.name], visitor, request, response, next)
})

/** What is under way in logouts, by a key that travels as RelayState. */
const underWay = new Map()
const store = {
  save(_request, state, done) {
    const key = crypto.randomUUID()
    underWay.set(key, state)
    done(null, key)
  },
  load(_request, key, ...rest) {
    const state = underWay.get(key)
    if (rest[0]?.destroy) underWay.delete(key)
    rest.at(-1)(null, state)
  },
  update(_request, key, state, done) {
    underWay.set(key, state)
    done(null, key)
  },
}
app.all('/slo', (request, response, next) => {
  const options = {
    issuer: entityId,
    cert: own.cert,
    key: own.key,
    deflate: true,
    protocolBinding: REDIRECT,
    sessionParticipants: new SessionParticipants(visitors.of(request)?.participants),
    store,
    clearIdPSession(done) {
      visitors.leave(request)
      done()
    },
  }
  samlp.logout(options)(request, response, next)
})
app.get('/', (request, response) => {
  response.json({ app: entityId, origin, signedIn: visitors.of(request) !== null })
})
app.use((error, _request, response, _next) => response.status(400).json({ error: String(error?.message ?? error) }))
app.listen(port, () => console.log('listening'))
