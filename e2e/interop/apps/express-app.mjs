// A customer's web app on the unmodified npm packages `express` and `express-openid-connect`.
import express from 'express'
import oidc from 'express-openid-connect'

const { port, issuer, options } = JSON.parse(process.argv[2])
/** Logged-out sessions, as the library's stores keep them. */
const loggedOut = new Map()
const store = {
  get: (id, done) => done(null, loggedOut.get(id)),
  set: (id, entry, done) => done(null, void loggedOut.set(id, entry)),
  destroy: (id, done) => done(null, void loggedOut.delete(id)),
}

const app = express()
app.use(
  oidc.auth({
    issuerBaseURL: issuer,
    baseURL: `http://localhost:${port}`,
    secret: 'what-this-app-seals-its-own-cookie-with',
    authRequired: false,
    idpLogout: true,
    routes: { postLogoutRedirect: `http://localhost:${port}/bye` },
    backchannelLogout: { store },
    ...options,
  }),
)
app.get('/', (request, response) => {
  const { oidc: session } = request
  response.json({ signedIn: session.isAuthenticated(), user: session.user ?? null })
})
app.get('/private', oidc.requiresAuth(), (request, response) => response.json({ user: request.oidc.user }))
app.get('/fresh', async (request, response) => {
  const { access_token } = await request.oidc.accessToken.refresh()
  response.json({ access_token, user: await request.oidc.fetchUserInfo() })
})
app.get('/bye', (_request, response) => response.json({ bye: true }))
app.use((error, _request, response, _next) =>
  response.status(error.status ?? 500).json({ error: error.error ?? error.message }),
)
app.listen(port, () => console.log('listening'))
