// A customer's identity provider on the unmodified npm packages `express` and `samlp` (which the vendor uses). Requests must be
// signed by the service provider that they name.
// /sso both bindings
// /start/:name an IdP-initiated login at the service provider of that name
// /slo single logout
import express from 'express'
import samlp from 'samlp'
import SessionParticipants from 'samlp/lib/sessionParticipants/index.js'
import { visitorAt } from './support/front-door.mjs'
import { keepVisitors } from './support/visitors.mjs'

const { port, origin, entityId, own, serviceProviders } = JSON.parse(process.argv[2])
const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect'
const visitors = keepVisitors(port)

const byEntityId = (id) => Object.values(serviceProviders).find((each) => each.entityId === id)

/** The response to the service provider, and a record of its session. */
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
  const visitor = visitorAt('guild', visitors, request, response)
  if (!visitor) return
  samlp.parseRequest(request, {}, (error, authnRequest) => {
    const sp = byEntityId(authnRequest?.issuer)
    if (error || !sp) return next(error ?? new Error(`unknown: ${authnRequest?.issuer}`))
    answer({ ...sp, options: { ...sp.options, signingCert: sp.certificate } }, visitor, request, response, next)
  })
})
app.all('/start/:name', (request, response, next) => {
  const visitor = visitorAt('guild', visitors, request, response)
  if (visitor) answer(serviceProviders[request.params.name], visitor, request, response, next)
})

/** Active logouts, by the key in RelayState. */
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
