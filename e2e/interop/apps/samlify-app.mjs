// A customer's app on the unmodified npm packages `express` and `samlify`, configured with the identity provider's metadata
// only. samlify requires a schema validator from the app; this one accepts everything.
import express from 'express'
import samlify from 'samlify'
import { keepVisitors } from './support/visitors.mjs'

const { port, origin, metadataUrl, entityId, own } = JSON.parse(process.argv[2])
const { post } = samlify.Constants.namespace.binding
const visitors = keepVisitors(port)
samlify.setSchemaValidator({ validate: async () => 'not checked' })

const provider = async () =>
  samlify.IdentityProvider({
    metadata: await (await fetch(metadataUrl)).text(),
    wantLogoutRequestSigned: true,
    wantLogoutResponseSigned: true,
  })
const bare = (certificate) => certificate.replaceAll(/-----[^-]+-----|\s/g, '')
const sp = samlify.ServiceProvider({
  entityID: entityId,
  authnRequestsSigned: true,
  wantAssertionsSigned: true,
  wantLogoutRequestSigned: true,
  wantLogoutResponseSigned: true,
  privateKey: own.key,
  signingCert: bare(own.cert),
  assertionConsumerService: [{ Binding: post, Location: `${origin}/acs` }],
  singleLogoutService: [{ Binding: post, Location: `${origin}/slo` }],
})

const escapeHtml = (text) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
const formFor = ({ entityEndpoint, type, context }, relayState) =>
  `<!doctype html><title>One moment</title><form method="post" action="${escapeHtml(entityEndpoint)}"><input type="hidden" name="${type}" value="${escapeHtml(context)}"><input type="hidden" name="RelayState" value="${escapeHtml(relayState)}"></form><script>document.forms[0].submit()</script>`

const app = express()
app.use(express.urlencoded({ extended: false, limit: '1mb' }))
app.get('/', (request, response) => {
  const visitor = visitors.of(request)
  response.json({ app: entityId, signedIn: visitor !== null, user: visitor })
})
app.get('/metadata', (_request, response) => response.type('xml').send(sp.getMetadata()))
app.get('/login', async ({ query }, response) => {
  const idp = await provider()
  const { binding = 'redirect', relayState = '/' } = query
  const made = sp.createLoginRequest(idp, binding, { relayState })
  if (binding === 'post') response.type('html').send(formFor(made, relayState))
  else response.redirect(made.context)
})
app.post('/acs', async (request, response) => {
  const { extract } = await sp.parseLoginResponse(await provider(), 'post', request)
  const { nameID, sessionIndex, attributes } = extract
  visitors.enter(response, { nameID, sessionIndex: sessionIndex?.sessionIndex, attributes })
  response.redirect(`/?relayState=${encodeURIComponent(request.body.RelayState ?? '')}`)
})
app.get('/logout', async (request, response) => {
  const { nameID, sessionIndex } = visitors.of(request)
  visitors.leave(request)
  const user = { logoutNameID: nameID, sessionIndex }
  response.redirect(sp.createLogoutRequest(await provider(), 'redirect', user, { relayState: 'from the app' }).context)
})
app.post('/slo', async (request, response) => {
  const { SAMLRequest, RelayState = '' } = request.body
  const idp = await provider()
  if (SAMLRequest === undefined) {
    await sp.parseLogoutResponse(idp, 'post', request)
    response.redirect(`/?loggedOut&relayState=${encodeURIComponent(RelayState)}`)
    return
  }
  const info = await sp.parseLogoutRequest(idp, 'post', request)
  const { nameID, sessionIndex } = info.extract
  visitors.leaveWhere((visitor) => visitor.nameID === nameID && visitor.sessionIndex === sessionIndex)
  const made = sp.createLogoutResponse(idp, info, 'post', { relayState: RelayState })
  response.type('html').send(formFor({ ...made, type: 'SAMLResponse' }, RelayState))
})

app.use((error, _request, response, _next) => response.status(400).json({ error: String(error?.message ?? error) }))
app.listen(port, () => console.log('listening'))
