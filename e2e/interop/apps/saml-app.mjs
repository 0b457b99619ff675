// A customer's app on the unmodified npm packages `express` and `@node-saml/node-saml`: requests with both bindings, signed;
// encrypted assertions; single logout in both directions.
import { SAML } from '@node-saml/node-saml'
import express from 'express'
import { keepVisitors } from './support/visitors.mjs'

const { port, origin, identityProvider, certificate, entityId, own } = JSON.parse(process.argv[2])
const visitors = keepVisitors(port)

const saml = new SAML({
  issuer: entityId,
  audience: entityId,
  callbackUrl: `${origin}/acs`,
  logoutCallbackUrl: `${origin}/slo`,
  entryPoint: identityProvider,
  logoutUrl: `${identityProvider}/logout`,
  idpCert: certificate,
  privateKey: own.key,
  decryptionPvk: own.key,
  signatureAlgorithm: 'sha256',
  digestAlgorithm: 'sha256',
  wantAssertionsSigned: true,
  wantAuthnResponseSigned: false,
  validateInResponseTo: 'ifPresent',
})

const app = express()
app.use(express.urlencoded({ extended: false, limit: '1mb' }))
app.get('/', (request, response) => {
  const visitor = visitors.of(request)
  response.json({ app: entityId, signedIn: visitor !== null, user: visitor })
})
app.get('/login', async ({ query }, response) => {
  const { binding, relayState = '/' } = query
  if (binding === 'post') response.type('html').send(await saml.getAuthorizeFormAsync(relayState, undefined, {}))
  else response.redirect(await saml.getAuthorizeUrlAsync(relayState, undefined, {}))
})
app.post('/acs', async ({ body }, response) => {
  const { profile } = await saml.validatePostResponseAsync(body)
  visitors.enter(response, profile)
  response.redirect(`/?relayState=${encodeURIComponent(body.RelayState ?? '')}`)
})
app.get('/logout', async (request, response) => {
  const visitor = visitors.of(request)
  visitors.leave(request)
  response.redirect(await saml.getLogoutUrlAsync(visitor, 'from the app', {}))
})
app.get('/slo', async (request, response) => {
  const [, search = ''] = request.url.split('?', 2)
  await hear(await saml.validateRedirectAsync(request.query, search), request.query, response)
})
app.post('/slo', async (request, response) => {
  const { body } = request
  const heard = body.SAMLRequest ? saml.validatePostRequestAsync(body) : saml.validatePostResponseAsync(body)
  await hear(await heard, body, response)
})

/** The response to the app's request, or a request of the identity provider. */
async function hear({ profile, loggedOut }, { SAMLRequest, RelayState = '' }, response) {
  if (!loggedOut) throw new Error('no session was ended')
  if (SAMLRequest === undefined) {
    response.redirect(`/?loggedOut&relayState=${encodeURIComponent(RelayState)}`)
    return
  }
  visitors.leaveWhere(({ nameID, sessionIndex }) => nameID === profile.nameID && sessionIndex === profile.sessionIndex)
  response.redirect(await saml.getLogoutResponseUrlAsync(profile, RelayState, {}, true))
}

app.use((error, _request, response, _next) => response.status(400).json({ error: error.message }))
app.listen(port, () => console.log('listening'))
