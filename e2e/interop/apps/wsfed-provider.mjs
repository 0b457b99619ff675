// A customer's WS-Federation provider on the unmodified npm packages `express` and `wsfed`, with SAML 1.1 tokens.
// /adfs/ls sign-in, and with wa=wsignout1.0 sign-out
import express from 'express'
import wsfed from 'wsfed'
import { visitorAt } from './support/front-door.mjs'
import { keepVisitors } from './support/visitors.mjs'

const { port, entityId, own, realm, reply, goodbye } = JSON.parse(process.argv[2])
const visitors = keepVisitors(port)

const app = express()
app.use(express.urlencoded({ extended: false, limit: '1mb' }))
app.use((request, _response, next) => {
  request.body ??= {}
  next()
})
app.get(
  '/FederationMetadata/2007-06/FederationMetadata.xml',
  wsfed.metadata({ issuer: entityId, cert: own.cert, endpointPath: '/adfs/ls' }),
)
app.all('/adfs/ls', (request, response, next) => {
  const { wa, wreply = '' } = request.query
  if (wa === 'wsignout1.0') {
    visitors.leave(request)
    if (!wreply.startsWith(goodbye)) throw new Error(`a stranger's address: ${wreply}`)
    response.redirect(wreply)
    return
  }
  const visitor = visitorAt('mill', visitors, request, response)
  if (visitor) issue(visitor.user, request, response, next)
})

function issue(user, request, response, next) {
  const options = {
    issuer: entityId,
    cert: own.cert,
    key: own.key,
    signatureAlgorithm: 'rsa-sha256',
    digestAlgorithm: 'sha256',
    lifetimeInSeconds: 300,
    getUserFromRequest: () => user,
    getPostURL: (wtrealm, wreply, _request, done) =>
      done(wtrealm === realm && wreply === reply ? null : new Error(`unknown: ${wtrealm} ${wreply}`), reply),
  }
  wsfed.auth(options)(request, response, next)
}

app.use((error, _request, response, _next) => response.status(400).json({ error: error.message }))
app.listen(port, () => console.log('listening'))
