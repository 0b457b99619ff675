// A customer's app on the unmodified npm packages `express`, `passport` and `passport-wsfed-saml2`.
import express from 'express'
import passport from 'passport'
import { Strategy } from 'passport-wsfed-saml2'
import { keepVisitors } from './support/visitors.mjs'

const { port, origin, server, certificate, realm } = JSON.parse(process.argv[2])
const visitors = keepVisitors(port)

const options = {
  realm,
  homeRealm: '',
  identityProviderUrl: `${server}/wsfed`,
  wreply: `${origin}/wsfed`,
  cert: certificate.replaceAll(/-----[^-]+-----|\s/g, ''),
}
passport.use(new Strategy(options, (profile, done) => done(null, profile)))

const app = express()
app.use(express.urlencoded({ extended: false, limit: '1mb' }))
app.use(passport.initialize())
app.get('/', (request, response) => {
  const visitor = visitors.of(request)
  response.json({ app: realm, signedIn: visitor !== null, user: visitor })
})
app.get('/login', (request, response, next) =>
  passport.authenticate('wsfed-saml2', { session: false, ...request.query })(request, response, next),
)
app.post('/wsfed', (request, response, next) =>
  passport.authenticate('wsfed-saml2', { session: false }, (error, user, refusal) => {
    if (!user) return next(error ?? refusal)
    visitors.enter(response, user)
    response.redirect(`/?wctx=${encodeURIComponent(request.body.wctx ?? '')}`)
  })(request, response, next),
)
app.get('/wsfed', (request, response) => {
  if (request.query.wa === 'wsignoutcleanup1.0') visitors.leave(request)
  response.send('cleaned up')
})
app.get('/logout', (request, response) => {
  visitors.leave(request)
  const query = new URLSearchParams({ wa: 'wsignout1.0', wtrealm: realm, wreply: `${origin}/` })
  response.redirect(`${server}/wsfed?${query}`)
})
app.use((error, _request, response, _next) => response.status(400).json({ error: error.message }))
app.listen(port, () => console.log('listening'))
