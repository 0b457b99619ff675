// A customer's app on the unmodified npm package `next-auth` with its Auth0 provider: the handler that a Next.js app puts
// under pages/api/auth/[...nextauth], on express, which has the same request and response.
import express from 'express'
import nextAuth from 'next-auth'
import auth0 from 'next-auth/providers/auth0'

const { port, issuer, clientId, clientSecret } = JSON.parse(process.argv[2])
process.env.NEXTAUTH_URL = `http://localhost:${port}`

const handler = nextAuth.default({
  secret: 'what-this-app-seals-its-own-cookie-with',
  providers: [auth0.default({ clientId, clientSecret, issuer })],
  callbacks: { session: ({ session, token }) => ({ ...session, sub: token.sub }) },
})

const cookiesOf = ({ headers }) =>
  Object.fromEntries((headers.cookie ?? '').split('; ').map((pair) => pair.split(/=(.*)/s).map(decodeURIComponent)))

const app = express()
app.use(express.urlencoded({ extended: false }))
app.use('/api/auth', (request, response) => {
  const { pathname, searchParams } = new URL(request.url, 'http://localhost')
  const query = { ...Object.fromEntries(searchParams), nextauth: pathname.split('/').filter(Boolean) }
  Object.defineProperty(request, 'query', { value: query })
  request.cookies = cookiesOf(request)
  return handler(request, response)
})
app.listen(port, () => console.log('listening'))
